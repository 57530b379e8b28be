// The report's two histograms and the names of its kinds.
#include "report/report.h"

#include <algorithm>
#include <bit>

namespace twinset {

const char* removal_kind_name(RemovalKind kind) {
  switch (kind) {
    case RemovalKind::identical:
      return "identical";
    case RemovalKind::lexical:
      return "lexical";
    case RemovalKind::near:
      return "near";
    case RemovalKind::contained:
      return "contained";
  }
  return "unknown";
}

void SizeHistogram::add(std::uint64_t members) {
  if (members < 2) return;
  ++bins[static_cast<std::size_t>(std::bit_width(members - 1)) - 1];
}

void ResemblanceHistogram::add(double resemblance) {
  // A share such as 0.29 lies a hair below 29 hundredths in binary; the nudge is
  // far below the smallest step that counts of shingles can make.
  constexpr double nudge = 1e-12;
  if (resemblance >= 1) {
    ++bins[100];
  } else if (resemblance > 0) {
    ++bins[std::min<std::size_t>(99, static_cast<std::size_t>((resemblance + nudge) * 100))];
  } else {
    ++bins[0];
  }
}

}  // namespace twinset

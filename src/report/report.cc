// The report's two histograms.
#include "report/report.h"

#include <algorithm>
#include <bit>

namespace twinset {

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

// The part of a detection that a report shows beside its summary: the worst pages with their
// matches, which site has them from which other one, the labels that are found most often, and some
// recursion errors.
//
// Threads: values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "detect/detections.h"
#include "detect/reused_sites.h"
#include "twinset/reuse.h"

namespace twinset {

/// A label and the times it was found.
struct FoundOften {
  PageMatch match;  ///< with the text and the sample; offset and length mean nothing
  std::uint64_t times = 0;

  void append_to(std::string& out) const;
  static bool take(EncodedBytes& rest, FoundOften& out);
  std::uint64_t memory_bytes() const;
};

struct ShownPage {
  DetectedPage page;
  std::vector<PageMatch> matches;  ///< the first ones
  std::uint64_t all_matches = 0;
};

/// What a report shows beside the summary.
struct ShownDetections {
  std::vector<ShownPage> pages;
  ReusedSites sites;
  std::vector<FoundOften> labels;
  std::vector<RecursionError> recursion_errors;
};

}  // namespace twinset

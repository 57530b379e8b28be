// The histograms of several reports: pairs by resemblance, clusters by size.
//
//   section.histograms = {size_histogram(sizes)};
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "faces/facts.h"
#include "run/pair_collector.h"

namespace twinset {

/// A histogram of one or two series, from the lowest resemblance that occurs to exactly 1; at
/// most 26 bars. A second series without a pair is left out.
Histogram resemblance_histogram(std::string title, std::string up, const ResemblanceBins& first,
                                std::string first_name, const ResemblanceBins& second,
                                std::string second_name);

/// Clusters by size: sizes[i] is the number of clusters of 2^i to 2^(i+1) - 1 documents.
Histogram size_histogram(const std::vector<std::uint64_t>& sizes);

}  // namespace twinset

// summary.json of cluster and recut.
//
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "twinset/cluster.h"

namespace twinset {

/// What the numbers of a run's pairs count ("pairs_count"; docs/formats/pairs.md).
inline constexpr std::string_view key_numbers = "keys";
inline constexpr std::string_view shingle_numbers = "shingles";
inline constexpr std::string_view estimate_numbers = "estimate";
inline constexpr std::string_view candidate_numbers = "nothing";
std::string_view pair_numbers(const ClusterSummary& summary);

std::string cluster_summary_json(const ClusterSummary& summary, const ClusterOptions& options,
                                 std::string_view identity);

}  // namespace twinset

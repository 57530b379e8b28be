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

/// The options that decide the pairs and clusters of a run, as one JSON object.
std::string cluster_options_json(const ClusterOptions& options);

/// The verb and all options that decide its output, as text: a run's identity is a hash of
/// it.
std::string cluster_identity(const ClusterOptions& options);

std::string cluster_summary_json(const ClusterSummary& summary, const ClusterOptions& options,
                                 std::string_view identity);

}  // namespace twinset

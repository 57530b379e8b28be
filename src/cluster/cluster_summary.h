// summary.json of cluster and recut.
//
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "twinset/cluster.h"

namespace twinset {

/// What the numbers of a run's pairs are of ("pairs_count"; docs/formats/pairs.md).
inline constexpr std::string_view key_numbers = "keys";
inline constexpr std::string_view shingle_numbers = "shingles";
inline constexpr std::string_view estimate_numbers = "estimate";
inline constexpr std::string_view candidate_numbers = "nothing";
std::string_view pair_numbers(const ClusterSummary& summary);

/// What decides the pairs and clusters of a run, as one JSON object.
std::string cluster_options_json(const ClusterOptions& options);

/// The verb and all that decides its output, as text: a run's identity is a hash of it. The
/// options of folding stand in it once more, as they do in the identity of dedup; without
/// them no run begun or finished by an earlier build would be found again.
std::string cluster_identity(const ClusterOptions& options);

std::string cluster_summary_json(const ClusterSummary& summary, const ClusterOptions& options,
                                 std::string_view identity);

}  // namespace twinset

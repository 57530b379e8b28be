// summary.json of cluster and recut.
//
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "twinset/cluster.h"

namespace twinset {

/// What decides the pairs and clusters of a run, as one JSON object.
std::string cluster_options_json(const ClusterOptions& options);

std::string cluster_summary_json(const ClusterSummary& summary, const ClusterOptions& options,
                                 std::string_view identity);

}  // namespace twinset

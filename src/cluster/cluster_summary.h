// summary.json of cluster and recut.
//
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "join/link.h"
#include "twinset/cluster.h"

namespace twinset {

/// The kind of a run's links.
LinkKind link_kind_of(const ClusterSummary& summary);

std::string cluster_summary_json(const ClusterSummary& summary, const ClusterOptions& options,
                                 std::string_view identity);

}  // namespace twinset

// The shards of a run of dedup or cluster become that run.
//
// Threads: one call at a time per output.
#pragma once

#include "cluster/cluster_collection.h"
#include "dedup/dedup_collection.h"
#include "twinset/merge.h"
#include "twinset/result.h"

namespace twinset {

/// As merge(); the two draw the reports that the shards' commands ask for.
Result<MergeSummary> merge_shards(const MergeOptions& options, const RunControl& control,
                                  DrawReport<DedupFindings> draw_dedup,
                                  DrawReport<ClusterFindings> draw_cluster);

}  // namespace twinset

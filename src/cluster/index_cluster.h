// cluster over an index: its input is the folder of one, and nothing is read but that.
//
// Threads: as cluster().
#pragma once

#include "system/files.h"
#include "twinset/cluster.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

/// Of InputFacts: the input of a run is an index. Its documents have the numbers of their adding,
/// from 1, as records.
inline constexpr const char* index_format = "index";

/// Are the inputs of the options one folder, which is an index?
Result<bool> is_of_index(FileSystem& files, const ClusterOptions& options);

/// Clusters of what the index holds. Errors: usage (an option that needs the inputs themselves; the
/// index cannot tell it), io.
Result<ClusterSummary> cluster_index(const ClusterOptions& options, const RunControl& control);

}  // namespace twinset

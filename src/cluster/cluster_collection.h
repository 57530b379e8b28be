// cluster over a collection of any kind.
//
// Threads: one call at a time; a call uses the options' threads.
#pragma once

#include <memory>

#include "collection/collection.h"
#include "twinset/cluster.h"
#include "twinset/result.h"

namespace twinset {

/// As cluster(), over `collection` in place of the options' inputs; makes no file, like cluster()
/// over columns. Null: over the options' inputs.
Result<ClusterSummary> cluster_collection(std::shared_ptr<Collection> collection,
                                          const ClusterOptions& options, const RunControl& control,
                                          const ClusterResults& results);

}  // namespace twinset

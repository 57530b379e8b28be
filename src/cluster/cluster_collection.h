// cluster over a collection of any kind.
//
// Threads: one call at a time; a call uses the options' threads.
#pragma once

#include <memory>

#include "cluster/cluster_facts.h"
#include "collection/collection.h"
#include "run/run_verb.h"
#include "twinset/cluster.h"
#include "twinset/result.h"

namespace twinset {

/// What a run has found when its report is drawn.
struct ClusterFindings {
  const Job& job;
  const ClusterOptions& options;
  const RecordFiles& records;
  const DocumentTable& documents;
  const ClusterFacts& facts;
  const ClusterSummary& summary;
};

/// As cluster(), over `collection` in place of the options' inputs; makes no file, like cluster()
/// over columns. Null: over the options' inputs. `draw` makes the report that the options ask for.
Result<ClusterSummary> cluster_collection(std::shared_ptr<Collection> collection,
                                          const ClusterOptions& options, const RunControl& control,
                                          const ClusterResults& results,
                                          DrawReport<ClusterFindings> draw = nullptr);

}  // namespace twinset

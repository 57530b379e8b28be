// The HTML report of a cluster run: what was gathered of the pairs, with names, and the
// texts of a few of them, read once more.
//
// Threads: one thread at a time.
#pragma once

#include <string>

#include "cluster/cluster_facts.h"
#include "run/job.h"
#include "twinset/cluster.h"
#include "twinset/result.h"

namespace twinset {

/// The page, ready to be written. A text that cannot be read any more, or is another one
/// now, is said to be so in its place; that is no Error.
Result<std::string> cluster_report_page(const Job& job, const RecordFiles& records,
                                        const DocumentTable& documents, const ClusterFacts& facts,
                                        const ClusterSummary& summary,
                                        const ClusterOptions& options);

}  // namespace twinset

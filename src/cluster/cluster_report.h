// The HTML report of a cluster run: the facts of its clusters with names, and the texts of a
// few pairs, read once more.
//
// Threads: one thread at a time.
#pragma once

#include <string>

#include "cluster/cluster_facts.h"
#include "run/job.h"
#include "run/record_files.h"
#include "twinset/cluster.h"
#include "twinset/result.h"

namespace twinset {

/// The page, ready to be written. If a text cannot be read any more or has changed, the page
/// says so in its place; that is not an Error.
Result<std::string> cluster_report_page(const Job& job, const RecordFiles& records,
                                        const DocumentTable& documents, const ClusterFacts& facts,
                                        const ClusterSummary& summary,
                                        const ClusterOptions& options);

}  // namespace twinset

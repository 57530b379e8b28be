// The report of a cluster run: the facts of its clusters, graphs of some of them, and pairs with
// their texts.
//
// Threads: one thread at a time.
#pragma once

#include "cluster/cluster_facts.h"
#include "run/job.h"
#include "run/record_files.h"
#include "run/run_report.h"
#include "twinset/cluster.h"
#include "twinset/result.h"

namespace twinset {

/// The two files, ready to be written.
Result<ReportFiles> cluster_report(const Job& job, const RecordFiles& records,
                                   const DocumentTable& documents, const ClusterFacts& facts,
                                   const ClusterSummary& summary, const ClusterOptions& options);

}  // namespace twinset

// The report of a cluster run: the facts of its clusters, graphs of some of them, and pairs with
// their texts.
//
// Threads: one thread at a time.
#pragma once

#include "cluster/cluster_collection.h"
#include "collection/output_files.h"
#include "twinset/result.h"

namespace twinset {

/// The two files, ready to be written.
Result<ReportFiles> cluster_report(const ClusterFindings& found);

}  // namespace twinset

// The report of a dedup run: totals, files, histograms, notable clusters, and suspicious removals.
//
// Threads: one thread at a time.
#pragma once

#include "collection/output_files.h"
#include "dedup/dedup_collection.h"
#include "twinset/result.h"

namespace twinset {

/// The two files, ready to be written.
Result<ReportFiles> dedup_report(const DedupFindings& found);

}  // namespace twinset

// The report of a dedup run: totals, files, histograms, notable clusters, and suspicious removals.
//
// Threads: one thread at a time.
#pragma once

#include "match/match.h"
#include "rows/rows.h"
#include "run/job.h"
#include "run/record_files.h"
#include "run/run_report.h"
#include "twinset/dedup.h"
#include "twinset/result.h"

namespace twinset {

/// The two files, ready to be written.
Result<ReportFiles> dedup_report(const Job& job, const DedupOptions& options,
                                 const RecordFiles& records, const DocumentTable& documents,
                                 const RowFile<Proof>& proofs, const DedupSummary& summary);

}  // namespace twinset

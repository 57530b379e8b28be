// The facts of a dedup run for the HTML report: histograms, the clusters worth a
// look, and a sample of pairs with their texts.
//
// Threads: one thread at a time.
#pragma once

#include <string>

#include "dedup/match.h"
#include "rows/rows.h"
#include "run/job.h"
#include "run/record_files.h"
#include "run/texts.h"
#include "twinset/dedup.h"
#include "twinset/result.h"

namespace twinset {

/// The page, ready to be written.
Result<std::string> dedup_report_page(const Job& job, const DedupOptions& options,
                                      const RecordFiles& records, const DocumentTable& documents,
                                      const RowFile<Proof>& proofs, Texts& texts,
                                      const DedupSummary& summary);

}  // namespace twinset

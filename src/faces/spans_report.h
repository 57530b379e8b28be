// The report of spans: how long passages are and how many documents have them, the texts with the
// most reused words, who shares with whom, and the texts that share most side by side.
//
// Threads: one at a time.
#pragma once

#include "collection/output_files.h"
#include "spans/spans_run.h"
#include "twinset/result.h"

namespace twinset {

/// The two files, ready to be written.
Result<ReportFiles> spans_report(const SpansFindings& found);

}  // namespace twinset

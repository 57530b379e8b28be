// The report of a detection: its worst pages with the chunks they share, its worst neighborhoods,
// and how many there are of each badness (paper 004, Figure 12).
//
// Threads: a pure function.
#pragma once

#include "collection/output_files.h"
#include "detect/detect_run.h"
#include "twinset/result.h"

namespace twinset {

Result<ReportFiles> detect_report(const DetectFindings& found);

}  // namespace twinset

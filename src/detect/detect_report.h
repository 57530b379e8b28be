// The report of a detection: its worst pages with the chunks they share, its worst neighborhoods,
// and how many there are of each badness (paper 004, Figure 12).
//
// Threads: a pure function.
#pragma once

#include "collection/output_files.h"
#include "detect/shown_detections.h"
#include "twinset/result.h"
#include "twinset/reuse.h"

namespace twinset {

Result<ReportFiles> detect_report(const DetectOptions& options, const DetectSummary& summary,
                                  const ShownDetections& shown);

}  // namespace twinset

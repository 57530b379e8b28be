// Folders that detection made of the parts of a collection, merged to the folder of one run
// (paper 004, 4.3: detection is distributive).
//
// Threads: one call at a time per output.
#pragma once

#include "detect/detect_run.h"
#include "twinset/result.h"
#include "twinset/reuse.h"

namespace twinset {

/// `options.merge` names the folders. Errors: usage (folders of different labels, stop chunks or
/// rules, naming both; one folder twice), io.
Result<DetectSummary> merge_detections(const DetectOptions& options, const RunControl& control,
                                       DrawReport<DetectFindings> draw);

}  // namespace twinset

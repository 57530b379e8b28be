// The report of sketch: how evenly the signatures spread.
//
// Threads: a pure function.
#pragma once

#include "collection/output_files.h"
#include "sketch/sketch_run.h"
#include "twinset/result.h"

namespace twinset {

/// The page and its facts.
Result<ReportFiles> signature_report(const SketchFindings& found);

}  // namespace twinset

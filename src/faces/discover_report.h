// The report of discovery: what was seen and how often, the labels seen most, and what was left
// out and why.
//
// Threads: a pure function.
#pragma once

#include "collection/output_files.h"
#include "discover/discover_run.h"
#include "twinset/result.h"

namespace twinset {

/// Error (io): the facts cannot be read back.
Result<ReportFiles> discover_report(const DiscoverFindings& found);

}  // namespace twinset

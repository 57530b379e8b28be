// explain for a folder that cluster or recut made: a document's cluster, and its pairs there.
//
// Threads: any; the functions only read.
#pragma once

#include "look/output_folder.h"
#include "twinset/look.h"
#include "twinset/result.h"

namespace twinset {

/// As explain().
Result<Explanation> explain_cluster(const OutputFolder& folder, const ExplainOptions& options,
                                    const RunControl& control);

}  // namespace twinset

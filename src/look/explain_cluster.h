// explain for a folder that cluster or recut made: a document's cluster, and its pairs there.
//
// Threads: pure but for reading.
#pragma once

#include <string>

#include "look/output_folder.h"
#include "twinset/pair.h"
#include "twinset/result.h"

namespace twinset {

/// As explain().
Result<std::string> explain_cluster(FileSystem& files, const OutputFolder& folder,
                                    const ExplainOptions& options);

}  // namespace twinset

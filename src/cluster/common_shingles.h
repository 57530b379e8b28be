// The words of the common keys that counting cut (B 5.1 lists them): reads the first document
// of each key again and searches it for the shingle.
//
// Threads: one at a time.
#pragma once

#include <span>
#include <vector>

#include "join/candidates.h"
#include "join/documents.h"
#include "join/shared_keys.h"
#include "run/job.h"
#include "run/record_files.h"
#include "twinset/cluster.h"
#include "twinset/result.h"

namespace twinset {

/// In the order given. Errors: a text can no longer be read.
Result<std::vector<CommonShingle>> common_shingles(const Job& job, const RecordFiles& records,
                                                   const DocumentTable& documents,
                                                   std::span<const CommonKey> keys);

}  // namespace twinset

// The common keys that counting cut, as words: each one's first document is read
// again and searched for the shingle (B 5.1 lists them).
//
// Threads: one at a time.
#pragma once

#include <span>
#include <vector>

#include "join/candidates.h"
#include "join/documents.h"
#include "run/job.h"
#include "twinset/cluster.h"
#include "twinset/result.h"

namespace twinset {

/// In the order given. Errors: a text can no longer be read.
Result<std::vector<CommonShingle>> common_shingles(const Job& job, const RecordFiles& records,
                                                   const DocumentTable& documents,
                                                   std::span<const CommonKey> keys);

}  // namespace twinset

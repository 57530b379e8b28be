// Documents too short for a scheme that samples: their near copies may stay unseen,
// and the user is told of how many that can be said (B section 5.3).
//
// Threads: one thread at a time.
#pragma once

#include <string>

#include "run/job.h"
#include "run/record_files.h"
#include "twinset/result.h"

namespace twinset {

/// A warning, or nothing where the scheme sees documents of any length.
Result<std::string> short_documents_warning(const Job& job, const RecordFiles& records);

}  // namespace twinset

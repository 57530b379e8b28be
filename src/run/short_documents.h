// Documents too short for a scheme that samples: it may miss their near copies, and the user is
// told how many such documents there are (B section 5.3).
//
// Threads: one thread at a time.
#pragma once

#include <string>

#include "run/job.h"
#include "run/record_files.h"
#include "twinset/result.h"

namespace twinset {

/// A warning; empty if there are no such documents.
Result<std::string> short_documents_warning(const Job& job, const RecordFiles& records);

}  // namespace twinset

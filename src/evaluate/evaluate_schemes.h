// evaluate with --schemes: sample, plant, try each scheme, hold clusters against
// labels.
//
// Threads: one call at a time; a call uses the job's threads.
#pragma once

#include <string>

#include "run/job.h"
#include "twinset/evaluate.h"
#include "twinset/result.h"

namespace twinset {

/// The report, as options.json asks. `job` is prepared and has its collection.
/// Errors: as evaluate().
Result<std::string> evaluate_schemes(const EvaluateOptions& options, const Job& job,
                                     RunFacts& facts);

}  // namespace twinset

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

/// The report, as options.json asks. `job` is prepared; standard input, if it is among
/// the inputs, goes to the file `spool`. Errors: as evaluate().
Result<std::string> evaluate_schemes(const EvaluateOptions& options, const Job& job,
                                     const std::string& spool, RunFacts& facts);

}  // namespace twinset

// Counts verdicts: by judge and class, and where two judges agree.
//
//   const JudgedTables tables = count_verdicts(header, verdicts);
//
// A judge's later verdict on a pair replaces the earlier one.
//
// Threads: pure functions.
#pragma once

#include <span>

#include "judge/judged_file.h"
#include "twinset/judge.h"

namespace twinset {

JudgedTables count_verdicts(const JudgedHeader& header, std::span<const GivenVerdict> verdicts);

}  // namespace twinset

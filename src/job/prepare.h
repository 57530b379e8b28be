// Options made good: names looked up, thresholds and budgets checked, before any
// input is read.
//
// Threads: one thread at a time.
#pragma once

#include <memory>

#include "job/dedup_job.h"
#include "twinset/result.h"

namespace twinset {

/// Default shingle width of exact verification when a scheme uses none.
inline constexpr unsigned verification_shingle_tokens = 5;

/// Everything of a job but its inputs and folders. Errors: usage.
Status prepare_job(const DedupOptions& options, const RunControl& control, DedupJob& job);

/// Bytes of memory a run must have whatever its input; `--memory` below it is an
/// error that says so.
std::uint64_t least_memory(const DedupOptions& options, unsigned threads);

/// Physical memory of the machine (or of its control group, if less).
std::uint64_t machine_memory_bytes();

}  // namespace twinset

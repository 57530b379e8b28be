// Options made good: names looked up, thresholds and budgets checked, before any
// input is read.
//
// Threads: one thread at a time.
#pragma once

#include <memory>
#include <string_view>

#include "job/dedup_job.h"
#include "text/analyzer.h"
#include "text/shingler.h"
#include "twinset/result.h"

namespace twinset {

/// Of cluster, where none is asked for.
inline constexpr std::string_view default_cluster_scheme = "mod(samples=64)";

/// Shingle width of exact verification when a scheme uses none: 5 words, but of
/// features each is one by itself.
inline unsigned verification_shingle_tokens(const Analyzer& analyzer) {
  return analyzer.takes_features() ? 1 : default_shingle_tokens;
}

/// Everything of a job but its inputs and folders. Errors: usage.
Status prepare_job(const DedupOptions& options, const RunControl& control, DedupJob& job);

/// Bytes of memory a run must have whatever its input; `--memory` below it is an
/// error that says so.
std::uint64_t least_memory(const DedupOptions& options, unsigned threads);

/// Physical memory of the machine (or of its control group, if less).
std::uint64_t machine_memory_bytes(FileSystem& files);

}  // namespace twinset

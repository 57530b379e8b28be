// What this build knows: its version, its schemes, its SIMD levels.
//
// Threads: pure functions; limit_simd() before any job runs.
#pragma once

#include <string>
#include <string_view>

#include "twinset/dedup.h"
#include "twinset/result.h"

namespace twinset {

/// "0.1.0".
std::string_view version();

/// Every scheme with its parameters, ranges and source: text for a terminal, or
/// the Markdown table of the docs.
std::string schemes_text(bool markdown);

/// Limits the instructions kernels use: "portable", "sse4", "avx2", "avx3".
/// Results do not change. Error (usage) for other names, or one this CPU lacks.
Status limit_simd(std::string_view level);

/// summary.json of a finished job.
std::string summary_text(const DedupSummary& summary, const DedupOptions& options);

}  // namespace twinset

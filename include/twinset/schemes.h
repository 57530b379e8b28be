// What this build knows: its schemes, its analyzers, its SIMD levels.
//
// Threads: pure functions; limit_simd() before any job runs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/result.h"

namespace twinset {

enum class SchemesAs : std::uint8_t { text, markdown, json };

/// Every scheme with its parameters, ranges and source: for a terminal, as the
/// page docs/schemes.md, or as a JSON array.
std::string schemes_text(SchemesAs form);

/// The names that a scheme spec and --analyzer may begin with, sorted.
std::vector<std::string> scheme_names();
std::vector<std::string> analyzer_names();

/// Limits the instructions kernels use: "portable", "sse4", "avx2", "avx3".
/// Results do not change. Error (usage) for other names, or one this CPU lacks.
Status limit_simd(std::string_view level);

}  // namespace twinset

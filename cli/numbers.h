// Sizes and counts as they are typed.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "twinset/result.h"

namespace twinset::cli {

/// "64MiB", "1.5G", "1500000": K, M, G, T are powers of 1024, with B or iB or neither.
Result<std::uint64_t> parse_size(const std::string& text);
/// "1000": digits alone.
Result<std::uint64_t> parse_count(const std::string& text);

}  // namespace twinset::cli

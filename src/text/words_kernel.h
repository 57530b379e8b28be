// The analyzer `words` at the speed of memory's neighborhood: the tokens of
// text/words_reference.h, found 64 bytes at a time.
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

#include "text/analyzer.h"

namespace twinset {

/// Equal to words_reference() in everything it returns, on every CPU and at
/// every SIMD level (base/cpu.h). Reads nothing outside `text`.
void words_simd(std::string_view text, Offsets offsets, Analysis& out);

/// The text is cut into pieces of about this many bytes, so that what is made of
/// one stays in the first-level cache; known to tests, which look at the seams.
inline constexpr std::size_t words_chunk_bytes = 8192;

}  // namespace twinset

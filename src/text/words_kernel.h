// The analyzer `words`, fast: the tokens of text/words_reference.h, found 64 bytes
// at a time.
//
//   words_simd("A rose is a rose.", Offsets::keep, analysis);  // five tokens
//
// One core of a Xeon with AVX-512 reads English at 1.7 to 2.0 GB/s, German at 1.2,
// Cyrillic at 0.9, ideographs at 0.4 to 0.5 (a token each), Thai and Japanese at 0.2 to
// 0.25 on a busy machine (a token for each two letters); AVX2 a tenth less.
// Without SIMD the same source compiles to plain C++, at 0.3 GB/s.
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

#include "text/analyzer.h"

namespace twinset {

struct WordRule;

/// Equal to words_reference() in everything it returns, on every CPU and at
/// every SIMD level (base/cpu.h). Reads nothing outside `text`.
void words_simd(std::string_view text, Offsets offsets, Analysis& out);
/// The same with the words that `rule` joins as one, and without those that it does not keep.
void words_simd(std::string_view text, const WordRule& rule, Offsets offsets, Analysis& out);

/// The text is cut into pieces of about this many bytes, so that the results for one stay in the
/// first-level cache; public for the tests, which look at the seams.
inline constexpr std::size_t words_chunk_bytes = 8192;

}  // namespace twinset

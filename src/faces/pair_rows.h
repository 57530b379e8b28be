// The rows of two documents side by side: text that both have, that one has, or that has moved;
// long shared passages are cut to their ends. The rows are facts; showing them needs neither the
// texts nor an analyzer.
//
//   ShownPair pair;
//   set_rows(pair, text_a, text_b, passages);
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "faces/facts.h"
#include "words/passages.h"

namespace twinset {

/// The most bytes of a pair that are shown; the rest is counted.
inline constexpr std::size_t most_pair_bytes = 16'000;

/// Fills rows and more. `passages`: find_passages(a, b). `left_out_a` and `left_out_b` are the
/// notes of leave_out() in the texts.
void set_rows(ShownPair& pair, std::string_view text_a, std::string_view text_b,
              const Passages& passages, std::span<const TextRange> left_out_a = {},
              std::span<const TextRange> left_out_b = {});

}  // namespace twinset

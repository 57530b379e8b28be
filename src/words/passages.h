// Passages: where two documents share text, as the detector itself saw it.
//
// A token is shared if it is in a w-shingle that the other document has too; everything else
// differs. No other comparison (by lines or words) is made, so the view shows the evidence for the
// resemblance that is printed.
//
//   Passages found = find_passages(analysis_a, analysis_b, 5);
//   found.shared_shingles;                 // exact, of the sets
//   for (const Passage& passage : found.a)  // in order, over A's bytes
//     if (passage.shared) mark(text_a.substr(passage.begin, passage.end - passage.begin));
//
// Shared passages of A and B are paired one to one, token for token, into matches. If the other
// document has fewer copies of a passage, the extra ones stay shared but are a `repeat`: each names
// the match that its counterpart already belongs to. Bytes between passages (spaces, punctuation)
// belong to none.
//
// Threads: pure functions; a Passages is a value.
#pragma once

#include "text/analyzer.h"
#include "text/shingler.h"
#include "twinset/pair.h"

namespace twinset {

/// The words of a shared passage that are shown next to a difference.
inline constexpr unsigned default_context_tokens = 12;
/// A passage that differs or moved shows this many times more: it is the news.
inline constexpr unsigned difference_context_factor = 4;

/// Aligns two documents. Both analyses must be made with Offsets::keep by one analyzer. Ranges: 1
/// <= width <= max_shingle_tokens. O(n log n) in the tokens of both for any input, repetitive ones
/// included; about 40 bytes a token.
Passages find_passages(const Analysis& a, const Analysis& b, unsigned width,
                       unsigned context_tokens = default_context_tokens);

}  // namespace twinset

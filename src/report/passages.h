// Passages: where two documents share text, as the detector itself saw it.
//
// A token is shared if it lies in a w-shingle that the other document has too;
// everything else differs. No second opinion (no line or word diff) is asked,
// so what is shown is the evidence behind the resemblance that is printed.
//
//   Passages found = find_passages(analysis_a, analysis_b, 5);
//   found.shared_shingles;                 // exact, of the sets
//   for (const Passage& passage : found.a)  // in order, over A's bytes
//     if (passage.shared) mark(text_a.substr(passage.begin, passage.end - passage.begin));
//
// Shared passages of A and B are paired one to one, token for token, into
// matches. A passage the other document has fewer copies of stays shared but is
// a `repeat`: it names the match that its counterpart already belongs to.
// Bytes between passages (spaces, punctuation) belong to none.
//
// Threads: pure functions; a Passages is a value.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "join/overlap.h"
#include "text/analyzer.h"
#include "text/shingler.h"

namespace twinset {

inline constexpr std::uint32_t no_match = std::numeric_limits<std::uint32_t>::max();

/// A maximal stretch of one text that is all shared in one way, or all not.
struct Passage {
  /// Bytes [begin, end): first token's begin, last token's end; less where tokens
  /// overlap, for passages do not. May be empty: a letter that only the other text has.
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t context = 0;     ///< tokens that a short view shows of either end
  std::uint32_t head_end = 0;    ///< byte where its first `context` tokens end
  std::uint32_t tail_begin = 0;  ///< byte where its last `context` tokens begin
  std::uint32_t first_token = 0;
  std::uint32_t tokens = 0;
  std::uint32_t match = no_match;  ///< index into Passages::matches
  bool shared = false;
  bool repeat = false;  ///< shared, but its counterpart is paired with another passage
};

/// A passage of A and the passage of B that equals it token for token.
struct PassageMatch {
  std::uint32_t a = 0;  ///< index into Passages::a
  std::uint32_t b = 0;  ///< index into Passages::b
  std::uint32_t tokens = 0;
  bool moved = false;  ///< not on the heaviest chain of matches that both texts have in order
};

/// The common part of two documents, passage by passage and in exact numbers.
struct Passages {
  std::vector<Passage> a;             ///< in order of A's text
  std::vector<Passage> b;             ///< in order of B's text
  std::vector<PassageMatch> matches;  ///< in order of A's text
  std::uint64_t shingles_a = 0;       ///< distinct shingles of A
  std::uint64_t shingles_b = 0;       ///< distinct shingles of B
  std::uint64_t shared_shingles = 0;  ///< distinct shingles of both
  std::uint64_t tokens_a = 0;
  std::uint64_t tokens_b = 0;
  std::uint64_t shared_tokens_a = 0;  ///< tokens of A in a shared shingle
  std::uint64_t shared_tokens_b = 0;  ///< tokens of B in a shared shingle

  /// Neither text has a token, and the two are the same: the caller's to say, who has them.
  bool same_without_tokens = false;

  std::uint64_t all_shingles() const { return shingles_a + shingles_b - shared_shingles; }
  /// Exact, in [0, 1]. Where neither document has a shingle: 1 of the same text, else 0
  /// (B section 2).
  double resemblance() const { return share_of(shared_shingles, all_shingles()); }
  double containment_a_in_b() const { return share_of(shared_shingles, shingles_a); }
  double containment_b_in_a() const { return share_of(shared_shingles, shingles_b); }

 private:
  double share_of(std::uint64_t part, std::uint64_t whole) const {
    return same_without_tokens ? 1 : share(part, whole);
  }
};

/// The words of a shared passage shown beside what differs.
inline constexpr unsigned default_context_tokens = 12;
/// Of a passage that differs or moved, this many times more: it is the news.
inline constexpr unsigned difference_context_factor = 4;

/// Aligns two documents. Both analyses were made with Offsets::keep by one
/// analyzer. Ranges: 1 <= width <= max_shingle_tokens. O(n log n) in the tokens
/// of both for any input, repetitive ones included; about 40 bytes a token.
Passages find_passages(const Analysis& a, const Analysis& b, unsigned width,
                       unsigned context_tokens = default_context_tokens);

}  // namespace twinset

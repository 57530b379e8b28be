// Blocks: two texts' passages in one reading order, for a merged or a side-by-side view, and the
// cuts that keep such a view short.
//
//   for (const Block& block : blocks(passages)) switch (block.kind) ...
//   Excerpt shown = excerpt(text_a, passages.a[block.a], Edge::both);
//   // shown.head, "... 312 words ...", shown.tail
//
// Between two matches that are in order in both texts, the passages only A has come first, then
// those only B has.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "words/passages.h"

namespace twinset {

enum class BlockKind : std::uint8_t {
  same,    ///< shared, in order: a passage of A and its match in B
  only_a,  ///< a passage of A that B does not have
  only_b,  ///< a passage of B that A does not have
  away,    ///< a passage of A that stands elsewhere in B (moved, or a repeat)
  here     ///< a passage of B that stands elsewhere in A (moved, or a repeat)
};

struct Block {
  BlockKind kind = BlockKind::same;
  std::uint32_t a = 0;  ///< index into Passages::a: same, only_a, away
  std::uint32_t b = 0;  ///< index into Passages::b: same, only_b, here
};

/// O(passages).
std::vector<Block> blocks(const Passages& passages);

/// The shown part of a passage: all of it (`tail` empty, nothing hidden), or its head and its tail
/// with `hidden_tokens` words (0: part of one long word) and `hidden_bytes` bytes between them.
struct Excerpt {
  std::string_view head;
  std::string_view tail;
  std::uint32_t hidden_tokens = 0;
  std::uint64_t hidden_bytes = 0;
  bool cut = false;
};

/// The ends of a passage that have neighbors, for which the context is shown.
enum class Ends : std::uint8_t { both, head, tail };

/// A cut hides at least this many words, because it takes a line of its own.
inline constexpr std::uint32_t fewest_hidden_tokens = 8;
/// The most bytes of a head or tail, however long its words are.
inline constexpr std::size_t most_context_bytes = 1200;

/// Cuts a passage to its context.
Excerpt excerpt(std::string_view text, const Passage& passage, Ends ends);

}  // namespace twinset

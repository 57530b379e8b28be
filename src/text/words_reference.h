// The analyzer `words`, written to be obviously right: a code point at a time.
// It defines the tokens; text/words_kernel.h makes the same ones twenty times as fast, and tests
// require both to be equal.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/analyzer.h"

namespace twinset {

/// A word, or a letter with its marks: its range in the text.
struct WordPiece {
  TokenOffsets range;
  bool unspaced = false;  ///< a letter of a script written without spaces
  bool run = false;       ///< a word, which the next word character continues
};

/// The pieces of a text. A piece is a maximal run of word characters, or a single
/// ideograph, a single letter of a script written without spaces, or an emoji: a pictograph, with
/// those that a zero width joiner joins to it; two regional indicators; a digit, # or * with a
/// keycap. Marks, ignorables and skin tones after a piece belong to it; elsewhere a skin tone is an
/// emoji, and the others separate and are skipped (text/unicode_table.h). A zero width space after
/// an unspaced letter belongs to it, too; elsewhere it separates, and so does invalid UTF-8.
/// Replaces `pieces`; returns how many sequences were invalid.
std::uint64_t find_word_pieces(std::string_view text, std::vector<WordPiece>& pieces);

/// Calls `take` with the range of each token. A piece is a token; but n unspaced pieces that touch
/// make n - 1 tokens of two. Begins and ends ascend.
template <class Take>
void for_each_token(const std::vector<WordPiece>& pieces, Take&& take) {
  const auto touch = [&](std::size_t i) {  // the piece before i, and i
    return i > 0 && i < pieces.size() && pieces[i - 1].unspaced && pieces[i].unspaced &&
           pieces[i - 1].range.end == pieces[i].range.begin;
  };
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (touch(i + 1)) {
      take(TokenOffsets{pieces[i].range.begin, pieces[i + 1].range.end});
    } else if (!touch(i)) {
      take(pieces[i].range);
    }
  }
}

/// The tokens of `words`: the hash (text/token_hash.h) of a token is of the canonical
/// form of its bytes (text/canonical.h), letter case folded. Replaces `out`.
void words_reference(std::string_view text, Offsets offsets, Analysis& out);

}  // namespace twinset

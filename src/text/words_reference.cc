// One loop over code points makes pieces: it reads the class, then begins a piece, extends the last
// one, or neither. Another loop over the pieces makes tokens.
//
// This file's interface is text/words_reference.h; the rest is private.
#include "text/words_reference.h"

#include "text/canonical.h"
#include "text/emoji.h"
#include "text/unicode_table.h"
#include "text/utf8.h"

namespace twinset {
namespace {

/// Makes a piece of a keycap and the character that begins it, which may be the last of a word.
void add_keycap(TokenOffsets range, std::vector<WordPiece>& pieces) {
  if (!pieces.empty() && pieces.back().range.end > range.begin) {
    pieces.back().range.end = range.begin;
    if (pieces.back().range.begin == range.begin) pieces.pop_back();
  }
  pieces.push_back({range, false, false});
}

}  // namespace

std::uint64_t find_word_pieces(std::string_view text, std::vector<WordPiece>& pieces) {
  pieces.clear();
  std::uint64_t replaced = 0;
  std::uint32_t position = 0;
  while (position < text.size()) {
    const utf8::Decoded decoded = utf8::decode(text, position);
    const std::uint32_t begin = position;
    position += decoded.bytes;
    if (!decoded.valid) ++replaced;

    const auto* const at = reinterpret_cast<const std::uint8_t*>(text.data()) + begin;
    const bool follows = !pieces.empty() && pieces.back().range.end == begin;
    const auto extend = [&] { pieces.back().range.end = position; };
    const auto start = [&](bool unspaced, bool run) {
      pieces.push_back({{begin, position}, unspaced, run});
    };
    // U+FFFD, which replaces invalid bytes, is a separator.
    switch (unicode::word_class(decoded.code_point)) {
      case unicode::WordClass::separator:
        if (decoded.code_point == unicode::zero_width_space && follows && pieces.back().unspaced) {
          extend();
        }
        break;
      case unicode::WordClass::word:
        follows&& pieces.back().run ? extend() : start(false, true);
        break;
      case unicode::WordClass::ideograph:
        start(false, false);
        break;
      case unicode::WordClass::unspaced:
        start(true, false);
        break;
      case unicode::WordClass::emoji:
        follows&& emoji::after_joiner(at, begin) ? extend() : start(false, false);
        break;
      case unicode::WordClass::regional: {
        const bool second =
            follows && pieces.back().range.begin + 4 == begin && emoji::after_regional(at, begin);
        second ? extend() : start(false, false);
        break;
      }
      case unicode::WordClass::modifier:
        follows ? extend() : start(false, false);
        break;
      case unicode::WordClass::ignorable:
        if (follows) extend();
        break;
      case unicode::WordClass::mark:
        if (const std::uint32_t back = unicode::rule(decoded.code_point) == unicode::rules::keycap
                                           ? emoji::keycap_base(at, begin)
                                           : 0;
            back > 0) {
          add_keycap({begin - back, position}, pieces);
        } else if (follows) {
          extend();
        } else if (unicode::rule(decoded.code_point) == unicode::rules::iota) {
          start(false, true);
        }
        break;
    }
  }
  return replaced;
}

void words_reference(std::string_view text, Offsets offsets, Analysis& out) {
  out.tokens.clear();
  out.offsets.clear();
  std::vector<WordPiece> pieces;
  out.replaced = find_word_pieces(text, pieces);
  for_each_token(pieces, [&](TokenOffsets range) {
    const std::string_view token = text.substr(range.begin, range.end - range.begin);
    out.tokens.push_back(canonical_hash(token, LetterCase::fold));
    if (offsets == Offsets::keep) out.offsets.push_back(range);
  });
}

}  // namespace twinset

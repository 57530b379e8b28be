// The properties of a code point that analyzers use: its word class, and how to find the canonical
// form of a word that contains it.
//
//   unicode::word_class(0x6F22)  // ideograph
//   unicode::word_class(0x0E01)  // unspaced: a Thai letter
//
// A word character is alphabetic or a number (Unicode's Alphabetic, general category
// N). A mark (category M) belongs to the character before it. An unspaced letter is
// one of a script that puts no spaces between words: Thai, Lao, Khmer, Myanmar,
// Javanese, Balinese, Hiragana, Katakana, Tai Le, New Tai Lue, Tai Tham, Tai Viet and
// Ahom. An ideograph (Unicode's Ideographic: Han, Tangut, Nushu) is a token by
// itself. An ignorable (Default_Ignorable: soft hyphen, joiners, variation selectors, direction
// marks, byte order mark) is invisible and is dropped from the word around it. An emoji is a token
// by itself: Extended_Pictographic, assigned or not yet, without the signs of writing U+00A9,
// U+00AE, U+2122, U+3030 and U+303D; so are two regional indicators, a flag. A modifier, a skin
// tone, belongs to the character before it. Everything else separates, the zero width space too
// unless it follows an unspaced letter.
//
// The canonical form is that of text/canonical.h. Most characters keep theirs, or become another
// character, whatever stands beside them: the rules say which.
//
// Threads: pure functions over constant tables, some 40 KB (tools/unicode_table.py).
#pragma once

#include <cstdint>
#include <string_view>

namespace twinset::unicode {

/// Part of every scheme fingerprint, through the analyzers' versions.
inline constexpr std::string_view version = "15.0.0";

enum class WordClass : std::uint8_t {
  separator,
  word,
  ideograph,
  unspaced,
  ignorable,
  mark,
  emoji,
  regional,
  modifier
};

/// A code point's rule. A `slow` one has a canonical form that depends on its neighbors, or that is
/// not a single character: see text/canonical.h. From first_folding_rule on it is a word character,
/// folded by fold_differences[rule].
namespace rules {
inline constexpr std::uint8_t separator = 0;
inline constexpr std::uint8_t word = 1;
inline constexpr std::uint8_t ideograph = 2;
inline constexpr std::uint8_t unspaced = 3;
inline constexpr std::uint8_t ignorable = 4;
inline constexpr std::uint8_t mark = 5;
/// Stays as it is unless a mark of a higher combining class stands before it.
inline constexpr std::uint8_t ordered_mark = 6;
/// Stays as it is unless it composes with the character before it.
inline constexpr std::uint8_t joining_mark = 7;
inline constexpr std::uint8_t slow_mark = 8;
inline constexpr std::uint8_t slow_word = 9;
inline constexpr std::uint8_t slow_ideograph = 10;
inline constexpr std::uint8_t slow_unspaced = 11;
/// U+0345 alone, a mark that folds to the letter iota: it belongs to the character before it, as a
/// mark does; without one it begins a word.
inline constexpr std::uint8_t iota = 12;
inline constexpr std::uint8_t emoji = 13;
inline constexpr std::uint8_t regional = 14;
inline constexpr std::uint8_t modifier = 15;
/// U+20E3 alone, a mark that makes an emoji of a digit.
inline constexpr std::uint8_t keycap = 16;
}  // namespace rules
inline constexpr std::uint8_t first_folding_rule = 17;

inline constexpr std::uint32_t block_size = 128;
inline constexpr std::uint32_t table_end = 0x32400;   ///< only separators from here,
inline constexpr std::uint32_t tags_begin = 0xE0000;  ///< but these ignorables
inline constexpr std::uint32_t tags_end = 0xE1000;
extern const std::uint8_t stage1[table_end / block_size];
extern const std::uint8_t stage2[];
extern const std::int32_t fold_differences[256];

/// For code points that UTF-8 writes in two bytes, U+0080 to U+07FF: the two bytes of the canonical
/// form, the first in the low byte, and whether it is a word character. Or a flag that the code
/// point stands apart: it is a mark, ignorable or slow, or its canonical form has another length.
/// Those below U+0080, which only overlong forms reach, stand apart too.
extern const std::uint32_t two_bytes[0x800];
inline constexpr std::uint32_t two_bytes_word = 1u << 16;
inline constexpr std::uint32_t two_bytes_apart = 1u << 17;

/// For vectors: the pairs of a first byte and the high half of a second that contain only word
/// characters that fold to themselves. They are in the byte at the first byte's low half: bits 0 to
/// 3 for a second byte from 0x80, 0x90, 0xA0, 0xB0 on after a first of 0xC0 to 0xCF, bits 4 to 7
/// after one of 0xD0 to 0xDF.
alignas(16) extern const std::uint8_t plain_pairs[16];

inline std::uint8_t rule(std::uint32_t code_point) {
  if (code_point >= table_end) {
    return code_point - tags_begin < tags_end - tags_begin ? rules::ignorable : rules::separator;
  }
  return stage2[stage1[code_point / block_size] * block_size + code_point % block_size];
}

/// U+0345 is a mark here.
inline WordClass class_of_rule(std::uint8_t rule) {
  using enum WordClass;
  constexpr WordClass classes[first_folding_rule] = {
      separator, word,      ideograph, unspaced, ignorable, mark,     mark,     mark, mark,
      word,      ideograph, unspaced,  mark,     emoji,     regional, modifier, mark};
  return rule < first_folding_rule ? classes[rule] : word;
}

/// The zero width space, a hint where a line may end. Between letters of scripts without spaces it
/// is ignored, as an ignorable is: the same text is written with it and without. Elsewhere it
/// separates.
inline constexpr std::uint32_t zero_width_space = 0x200B;

inline WordClass word_class(std::uint32_t code_point) { return class_of_rule(rule(code_point)); }

/// Does the canonical form of a word depend on more than each character by itself?
inline bool is_slow(std::uint8_t rule) { return rule >= rules::slow_mark && rule <= rules::iota; }

}  // namespace twinset::unicode

// What the analyzers ask of a code point: its word class and its case folding.
//
//   unicode::word_class(0x6F22)  // ideograph
//   unicode::fold(0x0416)        // 0x0436: capital zhe to small zhe
//
// A word character is alphabetic, a number or a mark (Unicode's Alphabetic,
// general categories N and M). An ideograph (Unicode's Ideographic: Han, Tangut,
// Nushu) is a token by itself. Hiragana, Katakana, Hangul, Thai, Lao, Khmer and
// all other scripts are words by runs: where a script puts no spaces between
// words, a run is a phrase. An ignorable (Default_Ignorable: soft hyphen,
// joiners, variation selectors, direction marks, byte order mark) is not seen
// by a reader and is dropped from the word around it; the zero width space,
// which does part words, is a separator like everything else.
//
// Folding is CaseFolding's C and S: one code point to one, no locale. Nothing is
// normalized: a letter with its accent and the letter followed by a combining
// accent stay two different words.
//
// Threads: pure functions over constant tables, some 40 KB (tools/unicode_table.py).
#pragma once

#include <cstdint>
#include <string_view>

namespace twinset::unicode {

/// Part of every scheme fingerprint.
inline constexpr std::string_view version = "15.0.0";

enum class WordClass : std::uint8_t { separator = 0, word = 1, ideograph = 2, ignorable = 3 };

inline constexpr std::uint32_t block_size = 128;
inline constexpr std::uint32_t table_end = 0x32400;   ///< nothing but separators from here,
inline constexpr std::uint32_t tags_begin = 0xE0000;  ///< but these ignorables
inline constexpr std::uint32_t tags_end = 0xE1000;
extern const std::uint8_t stage1[table_end / block_size];
extern const std::uint8_t stage2[];
extern const std::int32_t fold_differences[256];

/// For code points that UTF-8 writes in two bytes, U+0080 to U+07FF: the two bytes
/// of the folded one, the first the lowest, and whether it is a word character; or
/// that it stands apart, for being ignorable or folding to another length. Those
/// below U+0080, which only overlong forms lead to, stand apart too.
extern const std::uint32_t two_bytes[0x800];
inline constexpr std::uint32_t two_bytes_word = 1u << 16;
inline constexpr std::uint32_t two_bytes_apart = 1u << 17;

/// For vectors, the pairs of a first byte and a second's high half that hold
/// nothing but word characters that fold to themselves: in the byte of the first
/// one's low half, bit 0 to 3 for a second from 0x80, 0x90, 0xA0, 0xB0 on behind a
/// first of 0xC0 to 0xCF, bit 4 to 7 behind one of 0xD0 to 0xDF.
alignas(16) extern const std::uint8_t plain_pairs[16];

/// A code point's rule: 0 to 3 are the classes, of characters that fold to
/// themselves; from 4 on a word character, folded by fold_differences[rule].
inline std::uint8_t rule(std::uint32_t code_point) {
  if (code_point >= table_end) {
    return code_point - tags_begin < tags_end - tags_begin ? 3 : 0;
  }
  return stage2[stage1[code_point / block_size] * block_size + code_point % block_size];
}

inline constexpr std::uint8_t first_folding_rule = 4;

inline WordClass class_of_rule(std::uint8_t rule) {
  return rule < first_folding_rule ? static_cast<WordClass>(rule) : WordClass::word;
}

inline WordClass word_class(std::uint32_t code_point) { return class_of_rule(rule(code_point)); }

inline std::uint32_t fold(std::uint32_t code_point) {
  return code_point + static_cast<std::uint32_t>(fold_differences[rule(code_point)]);
}

}  // namespace twinset::unicode

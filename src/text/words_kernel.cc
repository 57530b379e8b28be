// The idea, for a block of 64 bytes:
//
//   1. Vectors fold ASCII letters into a scratch copy and make two 64-bit masks:
//      the bytes that are ASCII word characters, and those that are not ASCII.
//   2. Each sequence that is not ASCII is decoded and looked up. A word
//      character sets its bytes' bits in the word mask; an ideograph and a letter
//      of a script written without spaces set them too, with a cut before and after.
//      Marks and ignorables join the character before them: they set their bits
//      if the bit before is set, and a cut there moves after them. An emoji is as an ideograph, but
//      one after a joiner, and the second half of a flag, join like marks; a keycap makes a token
//      of the digit before it, which may be in the block before. The canonical
//      form nearly always has the same number of bytes, and is then written in place,
//      so a token's bytes are at the same place in the copy as in the text. The few
//      other characters, those whose form depends on their neighbors, and those that
//      are dropped are noted as irregular.
//   3. Tokens begin and end where the mask changes, and at cuts: these edges,
//      positions in the text, alternate in one array. A block that ends inside a
//      sequence leaves those bytes to the next one.
//
// Step 2 has two ways. A few sequences are read in turn, and so are bytes that are not UTF-8. Many
// are read by masks: vectors find the leads, and classes for whole ranges of them (most ideographs,
// most of Hangul, small letters of Cyrillic and others); only the rest is looked up.
//
// After a chunk of blocks the pairs of edges are hashed from the copy. Tokens that hold something
// irregular, or began in an earlier chunk, are hashed from the text again, a code point at a time.
// Both are rare, so tokens may have any length and no beginnings are copied. The pairs are the
// offsets.
//
// In a chunk with letters of scripts written without spaces, the pairs of edges are pieces, and a
// bit for each of its bytes says where such a letter begins. Two such pieces that touch are
// adjacent in the copy, and are hashed as one token. The last piece of a chunk waits for the next
// chunk, which may touch it.
//
// A rule for words (text/word_rule.h) changes the masks of a block before edges are made of them:
// the bytes of punctuation inside a word become bytes of the word, and a run of ASCII that is too
// short leaves. Masks of characters and digits are kept for the chunk, and the pairs of edges from
// blocks with digits, joined words or bytes that are not ASCII are measured by counting their ones.
//
// Blocks are read from the text itself while more than 64 bytes are left of it;
// the rest is read from a copy with the bytes before it, and zeros after it, which separate.
//
// This file's interface is text/words_kernel.h; the rest is private.
#include "text/words_kernel.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "text/canonical.h"
#include "text/canonical_table.h"
#include "text/emoji.h"
#include "text/token_hash.h"
#include "text/unicode_table.h"
#include "text/utf8.h"
#include "text/word_measures.h"
#include "text/word_rule.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "text/words_kernel.cc"
#define HWY_DISABLED_TARGETS (HWY_SSSE3)
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

#ifndef TWINSET_TEXT_WORDS_KERNEL_ONCE
#define TWINSET_TEXT_WORDS_KERNEL_ONCE
namespace twinset {
namespace {

/// A block is read together with the byte after it.
constexpr unsigned readable_bytes = block_bytes + 1;

static_assert(std::is_trivially_copyable_v<TokenOffsets>, "a pair of edges is copied into one");

// Bounds for one chunk. A byte has at most one edge ("a" and a blank have two together); an
// irregular character has at least two bytes.
constexpr std::size_t folded_bytes = chunk_reach + 2 * block_bytes;
constexpr std::size_t edges_in_chunk = chunk_reach + block_bytes;
constexpr std::size_t irregulars_in_chunk = chunk_reach / 2;

/// The positions of the ones in a byte, lowest first, then zeros.
constexpr auto set_bits = [] {
  std::array<std::array<std::uint8_t, 8>, 256> places{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    std::size_t count = 0;
    for (std::uint8_t bit = 0; bit < 8; ++bit) {
      if (byte >> bit & 1) places[byte][count++] = bit;
    }
  }
  return places;
}();

/// The state that one block hands to the next, and where to write their edges.
struct Scan {
  std::uint64_t in_word = 0;  ///< 1 if the byte before belongs to a token
  std::uint64_t cut = 0;      ///< 1 if that token ends there in any case
  std::uint32_t* edge = nullptr;
};

/// Rare things, noted beside the edges.
struct Notes {
  std::uint32_t* irregular = nullptr;  ///< where the next irregular position goes
  std::uint64_t replaced = 0;
  /// A bit for each byte of the chunk: an unspaced letter begins there. Undefined while
  /// any_unspaced is false.
  std::array<std::uint64_t, words_in_chunk> unspaced;
  bool any_unspaced = false;
  std::uint32_t chunk_begin = 0;
  std::string_view text;
  const WordRule* rule = nullptr;  ///< null: all words stay
  std::uint32_t* edges = nullptr;  ///< the chunk's
  Measures measures;               ///< of a rule
  /// The end of the last zero width space that was asked for, and the answer.
  std::size_t asked_end = 0;
  bool asked_unspaced = false;

  /// Does a character that follows a token at `position` follow an unspaced letter, its marks and
  /// such spaces? Looks back to the letter, or to the last space that was asked for.
  bool follows_unspaced(std::size_t position) {
    std::size_t end = position;
    while (end > 0 && end != asked_end) {
      std::size_t begin = end - 1;
      while (begin > 0 && end - begin < utf8::max_bytes && (text[begin] & 0xC0) == 0x80) --begin;
      const utf8::Decoded decoded = utf8::decode(text.substr(0, end), begin);
      const unicode::WordClass kind = unicode::word_class(decoded.code_point);
      const bool joins = kind == unicode::WordClass::mark ||
                         kind == unicode::WordClass::ignorable ||
                         decoded.code_point == unicode::zero_width_space;
      if (!decoded.valid || begin + decoded.bytes != end || !joins) {
        asked_unspaced = decoded.valid && kind == unicode::WordClass::unspaced;
        break;
      }
      end = begin;
    }
    if (end == 0) asked_unspaced = false;
    asked_end = position + 3;
    return asked_unspaced;
  }

  void add_unspaced(std::uint32_t position, std::uint64_t bits) {
    if (!any_unspaced) unspaced.fill(0);
    any_unspaced = true;
    const std::uint32_t at = position - chunk_begin;
    unspaced[at / 64] |= bits << at % 64;
    if (at % 64 != 0) unspaced[at / 64 + 1] |= bits >> (64 - at % 64);
  }

  bool is_unspaced(std::uint32_t position) const {
    const std::uint32_t at = position - chunk_begin;
    return any_unspaced && (unspaced[at / 64] >> at % 64 & 1) != 0;
  }

  /// Is the gap at `position`, as long as a block and longer, before a word that it joins?
  bool gap_joins(std::size_t position) {
    if (position < measures.gap_end) return measures.gap_joins;
    std::size_t end = position;
    while (end < text.size() && !begins_keycap(text.substr(end))) {
      const utf8::Decoded decoded = utf8::decode(text, end);
      if (!decoded.valid || !is_inside_word(decoded.code_point) || is_run(text.substr(end))) break;
      end += decoded.bytes;
    }
    measures.gap_end = end;
    measures.gap_joins = end < text.size() && is_run(text.substr(end));
    return measures.gap_joins;
  }

  void begin_chunk(std::uint32_t position, std::uint32_t* irregulars, bool in_word) {
    if (rule != nullptr) measures.begin_chunk(in_word);
    any_unspaced = false;
    chunk_begin = position;
    irregular = irregulars;
  }
};

/// A block's masks; only the bits below `bytes` count.
struct Block {
  std::uint64_t word = 0;
  std::uint64_t chars = 0;  ///< a letter or digit begins there
  std::uint64_t cut = 0;    ///< a token ends, or begins, before this byte
  std::uint64_t next_cut = 0;
  unsigned bytes = block_bytes;
  unsigned reach_back = 0;  ///< an emoji begins so many bytes before the block
};

}  // namespace
}  // namespace twinset
#endif  // TWINSET_TEXT_WORDS_KERNEL_ONCE

HWY_BEFORE_NAMESPACE();
namespace twinset {
namespace {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Bytes = hn::CappedTag<std::uint8_t, block_bytes>;

template <class Mask>
HWY_INLINE std::uint64_t mask_bits(Bytes d, Mask mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  std::uint64_t bits;
  std::memcpy(&bits, bytes, sizeof bits);
  return bits;
}

/// Step 1: folds the ASCII of 64 bytes into `folded`; returns the mask of ASCII
/// word characters, and that of the bytes that are not ASCII in `wide`.
HWY_INLINE std::uint64_t fold_ascii(const std::uint8_t* text, std::uint8_t* folded,
                                    std::uint64_t& wide) {
  const Bytes d;
  const hn::RebindToSigned<Bytes> di;
  std::uint64_t word = 0;
  wide = 0;
  for (unsigned i = 0; i < block_bytes; i += static_cast<unsigned>(hn::Lanes(d))) {
    const auto bytes = hn::LoadU(d, text + i);
    const auto lower = hn::Or(bytes, hn::Set(d, 0x20));
    const auto letter = hn::Sub(lower, hn::Set(d, 'a'));
    const auto digit = hn::Sub(bytes, hn::Set(d, '0'));
    const auto is_letter = hn::Eq(hn::Min(letter, hn::Set(d, 25)), letter);
    const auto is_digit = hn::Eq(hn::Min(digit, hn::Set(d, 9)), digit);
    hn::StoreU(hn::IfThenElse(is_letter, lower, bytes), d, folded + i);
    const auto is_wide = hn::Lt(hn::BitCast(di, bytes), hn::Zero(di));
    word |= mask_bits(d, hn::Or(is_letter, is_digit)) << i;
    wide |= mask_bits(d, hn::RebindMask(d, is_wide)) << i;
  }
  return word;
}

/// Folds a word character's `length` bytes in place; false if the folded form has another length.
HWY_INLINE bool fold_in_place(std::uint32_t code_point, std::uint8_t rule, unsigned length,
                              std::uint8_t* folded) {
  std::uint8_t encoded[utf8::max_bytes];
  const std::uint32_t target =
      code_point + static_cast<std::uint32_t>(unicode::fold_differences[rule]);
  if (utf8::encode(target, encoded) != length) return false;
  std::memcpy(folded, encoded, length);
  return true;
}

/// The entry of a sequence of two bytes.
HWY_INLINE std::uint32_t two_byte_entry(const std::uint8_t* text) {
  return unicode::two_bytes[(text[0] & 0x1Fu) << 6 | (text[1] & 0x3Fu)];
}

/// The characters among the two bytes of its canonical form: one, or two of ASCII ("ss").
HWY_INLINE std::uint64_t two_byte_chars(std::uint32_t entry) {
  return (entry >> 8 & 0xC0) == 0x80 ? 1 : 3;
}

/// Folds a sequence of two bytes that does not stand apart; returns the mask of its
/// bytes if it is a word character, else 0.
HWY_INLINE std::uint64_t fold_two_bytes(std::uint32_t entry, std::uint8_t* folded) {
  const std::uint16_t bytes = static_cast<std::uint16_t>(entry);
  std::memcpy(folded, &bytes, sizeof bytes);
  return (entry & unicode::two_bytes_word) != 0 ? 3 : 0;
}

/// The code point that ends before bit `i` of a block, which must be UTF-8 there; 0 if it does not
/// begin in the block.
HWY_INLINE std::uint32_t code_point_before(const std::uint8_t* text, unsigned i) {
  unsigned begin = i;
  while (begin > 0 && i - begin < utf8::max_bytes) {
    if ((text[--begin] & 0xC0) != 0x80) {
      return utf8::decode({reinterpret_cast<const char*>(text + begin), i - begin}, 0).code_point;
    }
  }
  return 0;
}

/// May the mark at bit `i` change, or change the character before it? Assumes so if that lies in
/// the block before.
HWY_NOINLINE bool may_change(const std::uint8_t* text, unsigned i, std::uint32_t code_point,
                             std::uint8_t rule) {
  if (rule == unicode::rules::mark || rule == unicode::rules::keycap) return false;
  if (rule != unicode::rules::ordered_mark && rule != unicode::rules::joining_mark) return true;
  const std::uint32_t before = code_point_before(text, i);
  if (before == 0) return true;
  if (rule == unicode::rules::joining_mark) return unicode::compose(before, code_point) != 0;
  return unicode::canonical_record(before).combining >
         unicode::canonical_record(code_point).combining;
}

/// Step 2 for any bytes, one sequence after the other; faster if there are few.
HWY_NOINLINE Block read_wide_in_turn(const std::uint8_t* text, std::uint32_t position,
                                     std::uint8_t* folded, std::uint64_t wide,
                                     std::uint64_t in_word, const std::uint32_t* edge, Block block,
                                     Notes& notes) {
  while (wide != 0) {
    const unsigned i = static_cast<unsigned>(std::countr_zero(wide));
    const std::uint8_t lead = text[i];
    const unsigned length = lead < 0xC2   ? 1
                            : lead < 0xE0 ? 2
                            : lead < 0xF0 ? 3
                            : lead < 0xF5 ? 4
                                          : 1;
    if (i + length > block_bytes) {
      block.bytes = i;
      break;
    }
    if (length == 2 && (text[i + 1] & 0xC0) == 0x80) [[likely]] {
      const std::uint32_t entry = two_byte_entry(text + i);
      if ((entry & unicode::two_bytes_apart) == 0) [[likely]] {
        const std::uint64_t found = fold_two_bytes(entry, folded + i);
        block.word |= found << i;
        block.chars |= (found & two_byte_chars(entry)) << i;
        wide &= ~(std::uint64_t{3} << i);
        continue;
      }
    }
    const utf8::Decoded decoded =
        utf8::decode({reinterpret_cast<const char*>(text + i), length}, 0);
    notes.replaced += decoded.valid ? 0 : 1;
    const std::uint8_t rule = unicode::rule(decoded.code_point);
    const std::uint64_t first = std::uint64_t{1} << i;
    const std::uint64_t bits = ones_below(decoded.bytes) << i;
    const bool follows = ((block.word << 1 | in_word) & first) != 0;
    const auto cut_behind = [&]() HWY_ATTR {
      block.cut |= first << (length - 1) << 1;
      if (i + length == block_bytes) block.next_cut = 1;
    };
    // Extends the token before this character.
    const auto join = [&]() HWY_ATTR {
      block.word |= bits;
      if (block.cut & first) {
        block.cut ^= first;
        cut_behind();
      }
    };
    const auto stand_alone = [&]() HWY_ATTR {
      block.word |= bits;
      block.cut |= first;
      cut_behind();
    };
    bool irregular = unicode::is_slow(rule);
    unicode::WordClass word_class = unicode::class_of_rule(rule);
    if (decoded.code_point == unicode::zero_width_space && follows &&
        notes.follows_unspaced(position + i)) {
      word_class = unicode::WordClass::ignorable;
      irregular = true;
    }
    switch (word_class) {
      case unicode::WordClass::separator:
        break;
      case unicode::WordClass::emoji:
        follows&& emoji::after_joiner(text + i, position + i) ? join() : stand_alone();
        break;
      case unicode::WordClass::regional: {
        // A token that begins with the regional indicator before is that alone.
        const bool begins = i >= 4 ? (block.cut >> (i - 4) & 1) != 0
                                   : in_word != 0 && i == 0 && edge[-1] + 4 == position;
        follows&& begins&& emoji::after_regional(text + i, position + i) ? join() : stand_alone();
        break;
      }
      case unicode::WordClass::modifier:
        follows ? join() : stand_alone();
        break;
      case unicode::WordClass::word:
        block.word |= bits;
        block.chars |= first;
        irregular |= rule >= unicode::first_folding_rule &&
                     !fold_in_place(decoded.code_point, rule, length, folded + i);
        break;
      case unicode::WordClass::unspaced:
        notes.add_unspaced(position, first);
        [[fallthrough]];
      case unicode::WordClass::ideograph:
        stand_alone();
        break;
      case unicode::WordClass::mark:
        if (rule == unicode::rules::keycap) {
          if (const unsigned back = emoji::keycap_base(text + i, position + i); back > 0) {
            if (back > i) block.reach_back = back - i;
            const unsigned begin = back > i ? 0 : i - back;
            block.word |= ones_below(i + length) & ~ones_below(begin);
            if (back <= i) block.cut |= std::uint64_t{1} << begin;
            cut_behind();
            irregular = true;  // its digit is no character of a word
            break;
          }
        }
        irregular |= may_change(text, i, decoded.code_point, rule);
        [[fallthrough]];
      case unicode::WordClass::ignorable:
        irregular |= rule == unicode::rules::ignorable;
        if (follows) {
          join();
        } else if (rule == unicode::rules::iota) {
          block.word |= bits;
        }
        break;
    }
    // A position outside all tokens is ignored.
    if (irregular) *notes.irregular++ = position + i;
    wide &= ~bits;
  }
  return block;
}

/// The beginnings of sequences by length, and leads that decide the class.
struct Leads {
  std::uint64_t two = 0;
  std::uint64_t three = 0;
  std::uint64_t four = 0;
  std::uint64_t ideograph = 0;  ///< E5 to E9: U+5000 to U+9FFF
  std::uint64_t syllable = 0;   ///< EB and EC: U+B000 to U+CFFF, Hangul
  std::uint64_t plain = 0;      ///< of two bytes: words that fold to themselves
};

/// The positions where a pair of bytes is one of unicode::plain_pairs.
HWY_INLINE auto plain_pairs(Bytes d, [[maybe_unused]] const std::uint8_t* text) {
#if HWY_TARGET == HWY_SCALAR
  return hn::MaskFromVec(hn::Zero(d));  // a lane of one byte is no table
#else
  // The bits that a first byte can have, and that a second requires, by their high halves.
  alignas(16) constexpr std::uint8_t first_bits[16] = {0, 0, 0, 0, 0,    0,    0, 0,
                                                       0, 0, 0, 0, 0x0F, 0xF0, 0, 0};
  alignas(16) constexpr std::uint8_t second_bits[16] = {0,    0,    0,    0,    0, 0, 0, 0,
                                                        0x11, 0x22, 0x44, 0x88, 0, 0, 0, 0};
  const auto first = hn::LoadU(d, text);
  const auto second = hn::LoadU(d, text + 1);
  const auto plain = hn::TableLookupBytes(hn::LoadDup128(d, unicode::plain_pairs),
                                          hn::And(first, hn::Set(d, 0x0F)));
  const auto first_bit =
      hn::TableLookupBytes(hn::LoadDup128(d, first_bits), hn::ShiftRight<4>(first));
  const auto second_bit =
      hn::TableLookupBytes(hn::LoadDup128(d, second_bits), hn::ShiftRight<4>(second));
  return hn::Ne(hn::And(plain, hn::And(first_bit, second_bit)), hn::Zero(d));
#endif
}

HWY_INLINE Leads find_leads(const std::uint8_t* text) {
  const Bytes d;
  Leads leads;
  for (unsigned i = 0; i < block_bytes; i += static_cast<unsigned>(hn::Lanes(d))) {
    const auto bytes = hn::LoadU(d, text + i);
    const auto high = hn::And(bytes, hn::Set(d, 0xF0));
    const auto is_two = hn::Eq(hn::And(bytes, hn::Set(d, 0xE0)), hn::Set(d, 0xC0));
    const auto han = hn::Sub(bytes, hn::Set(d, 0xE5));
    const auto hangul = hn::Sub(bytes, hn::Set(d, 0xEB));
    leads.plain |= mask_bits(d, plain_pairs(d, text + i)) << i;
    leads.two |= mask_bits(d, is_two) << i;
    leads.three |= mask_bits(d, hn::Eq(high, hn::Set(d, 0xE0))) << i;
    leads.four |= mask_bits(d, hn::Eq(high, hn::Set(d, 0xF0))) << i;
    leads.ideograph |= mask_bits(d, hn::Eq(hn::Min(han, hn::Set(d, 4)), han)) << i;
    leads.syllable |= mask_bits(d, hn::Eq(hn::Min(hangul, hn::Set(d, 1)), hangul)) << i;
  }
  return leads;
}

/// The classes of a block's sequences, each at the bit of its lead.
struct Sequences {
  std::uint64_t word = 0;
  std::uint64_t chars = 0;     ///< of the canonical forms of words of two bytes
  std::uint64_t single = 0;    ///< a piece by itself: an ideograph or an unspaced letter
  std::uint64_t unspaced = 0;  ///< of these, the letters
  std::uint64_t joins = 0;     ///< belongs to the character before it: a mark, an ignorable
  std::uint64_t ordered = 0;   ///< of these, marks that may need sorting
  std::uint64_t irregular = 0;
  bool in_turn = false;  ///< not UTF-8, or too unusual for masks
};

/// Reads one sequence of `length` bytes at bit `i`.
HWY_INLINE void read_sequence(const std::uint8_t* text, unsigned i, unsigned length,
                              std::uint8_t* folded, Sequences& found) {
  const utf8::Decoded decoded = utf8::decode({reinterpret_cast<const char*>(text + i), length}, 0);
  const std::uint8_t rule = unicode::rule(decoded.code_point);
  const std::uint64_t lead = std::uint64_t{1} << i;
  found.in_turn |= !decoded.valid || rule == unicode::rules::iota ||
                   decoded.code_point == unicode::zero_width_space;
  if (unicode::is_slow(rule)) found.irregular |= lead;
  switch (unicode::class_of_rule(rule)) {
    case unicode::WordClass::separator:
      break;
    case unicode::WordClass::emoji:
      found.in_turn |= i < 3 || emoji::after_joiner(text + i, i);
      found.single |= lead;
      break;
    case unicode::WordClass::regional:
    case unicode::WordClass::modifier:
      found.in_turn = true;
      break;
    case unicode::WordClass::unspaced:
      found.unspaced |= lead;
      [[fallthrough]];
    case unicode::WordClass::ideograph:
      found.single |= lead;
      break;
    case unicode::WordClass::ignorable:
      found.joins |= lead;
      found.irregular |= lead;
      break;
    case unicode::WordClass::mark:
      found.in_turn |= rule == unicode::rules::keycap;
      found.joins |= lead;
      if (rule == unicode::rules::ordered_mark) {
        found.ordered |= lead;
      } else if (may_change(text, i, decoded.code_point, rule)) {
        found.irregular |= lead;
      }
      break;
    case unicode::WordClass::word:
      found.word |= lead;
      if (rule >= unicode::first_folding_rule &&
          !fold_in_place(decoded.code_point, rule, length, folded + i)) {
        found.irregular |= lead;
      }
  }
}

HWY_INLINE void read_twos(const std::uint8_t* text, std::uint64_t leads, std::uint8_t* folded,
                          Sequences& found) {
  for (; leads != 0; leads &= leads - 1) {
    const unsigned i = static_cast<unsigned>(std::countr_zero(leads));
    const std::uint32_t entry = two_byte_entry(text + i);
    if (entry & unicode::two_bytes_apart) [[unlikely]] {
      read_sequence(text, i, 2, folded, found);
    } else {
      const std::uint64_t word = fold_two_bytes(entry, folded + i);
      found.word |= (word & 1) << i;
      found.chars |= (word & two_byte_chars(entry)) << i;
    }
  }
}

HWY_INLINE void read_threes(const std::uint8_t* text, std::uint64_t leads, std::uint8_t* folded,
                            Sequences& found) {
  for (; leads != 0; leads &= leads - 1) {
    const unsigned i = static_cast<unsigned>(std::countr_zero(leads));
    const std::uint32_t code_point =
        (text[i] & 0x0Fu) << 12 | (text[i + 1] & 0x3Fu) << 6 | (text[i + 2] & 0x3Fu);
    const std::uint8_t rule = unicode::rule(code_point);
    if (code_point < 0x800 || code_point >> 11 == 0x1B || rule > unicode::rules::ordered_mark ||
        code_point == unicode::zero_width_space) [[unlikely]] {
      read_sequence(text, i, 3, folded, found);
      continue;
    }
    const auto is = [&](std::uint8_t wanted)
                        HWY_ATTR { return static_cast<std::uint64_t>(rule == wanted) << i; };
    found.word |= is(unicode::rules::word);
    found.unspaced |= is(unicode::rules::unspaced);
    found.single |= is(unicode::rules::ideograph) | is(unicode::rules::unspaced);
    found.irregular |= is(unicode::rules::ignorable);
    found.joins |= static_cast<std::uint64_t>(rule >= unicode::rules::ignorable) << i;
    found.ordered |= is(unicode::rules::ordered_mark);
  }
}

/// Among marks with a combining class, those that may be out of order: the mark before has a higher
/// class, or lies in the block before.
HWY_NOINLINE std::uint64_t out_of_order(const std::uint8_t* text, std::uint64_t marks) {
  std::uint64_t found = 0;
  for (; marks != 0; marks &= marks - 1) {
    const unsigned i = static_cast<unsigned>(std::countr_zero(marks));
    const std::uint32_t code_point =
        utf8::decode({reinterpret_cast<const char*>(text + i), block_bytes - i}, 0).code_point;
    if (may_change(text, i, code_point, unicode::rules::ordered_mark)) {
      found |= std::uint64_t{1} << i;
    }
  }
  return found;
}

/// Step 2: reads the sequences that are not ASCII, whose bytes `wide` marks, into the block's
/// masks. `in_word`, the end of the edges so far and block.cut come from the block before.
HWY_NOINLINE Block read_wide(const std::uint8_t* text, std::uint32_t position, std::uint8_t* folded,
                             std::uint64_t wide, std::uint64_t in_word, const std::uint32_t* edge,
                             Block block, Notes& notes) {
  constexpr int few_bytes = 6;
  if (std::popcount(wide) <= few_bytes) {
    return read_wide_in_turn(text, position, folded, wide, in_word, edge, block, notes);
  }
  Leads leads = find_leads(text);
  // The block leaves a sequence that crosses its end to the next one.
  const std::uint64_t cut_off = (leads.two | leads.three | leads.four) >> 63 << 63 |
                                (leads.three | leads.four) >> 62 << 62 | leads.four >> 61 << 61;
  const unsigned bytes = static_cast<unsigned>(std::countr_zero(cut_off));
  const std::uint64_t kept = ones_below(bytes);
  leads.two &= kept;
  leads.three &= kept;
  leads.four &= kept;
  const std::uint64_t all = leads.two | leads.three | leads.four;
  const std::uint64_t long_ones = leads.three | leads.four;
  const std::uint64_t tails = all << 1 | long_ones << 2 | leads.four << 3;
  if ((wide & kept) != (all | tails) || (all & tails) != 0) {
    return read_wide_in_turn(text, position, folded, wide, in_word, edge, block, notes);
  }

  Sequences found;
  found.single = leads.ideograph & kept;
  found.word = (leads.syllable | leads.plain) & kept;
  read_twos(text, leads.two & ~leads.plain, folded, found);
  read_threes(text, leads.three & ~(leads.ideograph | leads.syllable), folded, found);
  for (std::uint64_t left = leads.four; left != 0; left &= left - 1) {
    read_sequence(text, static_cast<unsigned>(std::countr_zero(left)), 4, folded, found);
  }
  if (found.in_turn) {
    return read_wide_in_turn(text, position, folded, wide, in_word, edge, block, notes);
  }

  const auto spread = [&](std::uint64_t at) HWY_ATTR {
    const std::uint64_t at_long = at & long_ones;
    return at | at << 1 | at_long << 2 | (at & leads.four) << 3;
  };
  const std::uint64_t three = found.single & leads.three;
  const std::uint64_t four = found.single & leads.four;
  block.bytes = bytes;
  block.chars |= found.word | found.chars;
  block.word |= spread(found.word | found.single);
  std::uint64_t behind = three << 3 | four << 4 | block.cut;
  block.next_cut = three >> 61 | four >> 60;
  if (found.joins != 0) {
    const std::uint64_t joins = spread(found.joins);
    // If such a run follows a token's byte, adding a one at its beginning carries through the whole
    // run, and leaves a one after it.
    const std::uint64_t reached = (block.word << 1 | in_word) & joins;
    block.word |= joins & ~(joins + reached);
    const std::uint64_t moved = behind & joins;
    const std::uint64_t sum = joins + moved;
    if (sum < moved) block.next_cut = 1;
    behind = (behind & ~joins) | (sum & ~joins);
    const std::uint64_t ordered = found.ordered & (spread(found.ordered) << 1 | 1);
    if (ordered != 0) found.irregular |= out_of_order(text, ordered);
  }
  block.cut = found.single | behind;
  if (found.unspaced != 0) notes.add_unspaced(position, found.unspaced);
  // A position outside all tokens is ignored.
  for (std::uint64_t left = found.irregular; left != 0; left &= left - 1) {
    *notes.irregular++ = position + static_cast<std::uint32_t>(std::countr_zero(left));
  }
  return block;
}

/// Writes `first` + n / divisor for the position n of each one in `bits`; returns the new end.
/// Packs them a vector at a time, without a branch; writes whole vectors, for which the caller has
/// room.
template <int divisor>
HWY_INLINE std::uint32_t* write_ones(std::uint64_t bits, std::uint32_t first, std::uint32_t* out) {
  static_assert(divisor == 1 || divisor == 2);
#if HWY_TARGET <= HWY_AVX3
  const hn::CappedTag<std::uint32_t, 16> d;
  const auto numbers = hn::ShiftRight<divisor - 1>(hn::Iota(d, 0));
  for (unsigned i = 0; i < block_bytes; i += 16) {
    const std::uint64_t part = bits >> i & 0xFFFF;
    std::uint8_t part_bits[8];
    std::memcpy(part_bits, &part, sizeof part_bits);
    const auto all = hn::Add(numbers, hn::Set(d, first + i / divisor));
    hn::StoreU(hn::CompressBits(all, part_bits), d, out);
    out += std::popcount(part);
  }
#else
  const hn::CappedTag<std::uint32_t, 8> d;
  const hn::Rebind<std::uint8_t, decltype(d)> d8;
  for (unsigned i = 0; i < block_bytes; i += 8) {
    const std::uint64_t part = bits >> i & 0xFF;
    for (std::size_t j = 0; j < 8; j += hn::Lanes(d)) {
      const auto places = hn::PromoteTo(d, hn::LoadU(d8, &set_bits[part][j]));
      const auto numbers = hn::ShiftRight<divisor - 1>(places);
      hn::StoreU(hn::Add(numbers, hn::Set(d, first + i / divisor)), d, out + j);
    }
    out += std::popcount(part);
  }
#endif
  return out;
}

/// The low 32 bits, each followed by a zero.
HWY_INLINE std::uint64_t spread_bits(std::uint64_t bits) {
  bits &= 0xFFFFFFFF;
  bits = (bits | bits << 16) & 0x0000FFFF0000FFFF;
  bits = (bits | bits << 8) & 0x00FF00FF00FF00FF;
  bits = (bits | bits << 4) & 0x0F0F0F0F0F0F0F0F;
  bits = (bits | bits << 2) & 0x3333333333333333;
  return (bits | bits << 1) & 0x5555555555555555;
}

/// Step 3 if tokens touch: a position can be an end and then a beginning.
HWY_INLINE std::uint32_t* write_touching_edges(std::uint64_t ends, std::uint64_t begins,
                                               std::uint32_t position, std::uint32_t* edge) {
  for (int half = 0; half < 2; ++half) {
    const std::uint64_t both = spread_bits(ends) | spread_bits(begins) << 1;
    edge = write_ones<2>(both, position + 32 * half, edge);
    ends >>= 32;
    begins >>= 32;
  }
  return edge;
}

/// Makes a token begin at `begin`, before the block; it reaches into the block.
HWY_NOINLINE void begin_before(std::uint32_t begin, Scan& scan) {
  if (scan.in_word == 0) {
    *scan.edge++ = begin;
  } else if (scan.edge[-1] != begin) {
    *scan.edge++ = begin;  // the end of the word before
    *scan.edge++ = begin;
  }
  scan.in_word = 1;
}

/// The ASCII digits of a block.
HWY_INLINE std::uint64_t ascii_digits(const std::uint8_t* text) {
  const Bytes d;
  std::uint64_t digits = 0;
  for (unsigned i = 0; i < block_bytes; i += static_cast<unsigned>(hn::Lanes(d))) {
    const auto digit = hn::Sub(hn::LoadU(d, text + i), hn::Set(d, '0'));
    digits |= mask_bits(d, hn::Eq(hn::Min(digit, hn::Set(d, 9)), digit)) << i;
  }
  return digits;
}

/// The bytes of ASCII that are neither white space nor controls: letters, digits and symbols.
HWY_INLINE std::uint64_t ascii_graphics(const std::uint8_t* text) {
  const Bytes d;
  std::uint64_t graphics = 0;
  for (unsigned i = 0; i < block_bytes; i += static_cast<unsigned>(hn::Lanes(d))) {
    const auto graphic = hn::Sub(hn::LoadU(d, text + i), hn::Set(d, '!'));
    graphics |= mask_bits(d, hn::Eq(hn::Min(graphic, hn::Set(d, '~' - '!')), graphic)) << i;
  }
  return graphics;
}

/// The decimal digits that are not ASCII among a block's characters. Only few leads can begin one.
HWY_NOINLINE std::uint64_t wide_digits(const std::uint8_t* text, std::uint64_t chars) {
  const Bytes d;
  std::uint64_t leads = 0;
  for (unsigned i = 0; i < block_bytes; i += static_cast<unsigned>(hn::Lanes(d))) {
    const auto bytes = hn::LoadU(d, text + i);
    const auto near = hn::Sub(bytes, hn::Set(d, 0xD9));  // to 0xE1: Arabic, Indic and others
    const auto far = hn::Sub(bytes, hn::Set(d, 0xEF));   // 0xEF and 0xF0: full width and rare ones
    const auto found = hn::Or(hn::Or(hn::Eq(hn::Min(near, hn::Set(d, 8)), near),
                                     hn::Eq(hn::Min(far, hn::Set(d, 1)), far)),
                              hn::Eq(bytes, hn::Set(d, 0xEA)));
    leads |= mask_bits(d, found) << i;
  }
  std::uint64_t digits = 0;
  for (leads &= chars; leads != 0; leads &= leads - 1) {
    const unsigned i = static_cast<unsigned>(std::countr_zero(leads));
    const std::uint32_t code_point =
        utf8::decode({reinterpret_cast<const char*>(text + i), block_bytes - i}, 0).code_point;
    digits |= static_cast<std::uint64_t>(is_decimal_digit(code_point)) << i;
  }
  return digits;
}

/// Notes that a token with the bytes [begin, end) is to be read from the text. Of a block whose
/// other notes are there already.
HWY_NOINLINE void note_irregular(std::uint32_t begin, std::uint32_t end, Notes& notes) {
  std::uint32_t* const at = std::lower_bound(notes.edges + edges_in_chunk, notes.irregular, begin);
  if (at != notes.irregular && *at < end) return;
  std::move_backward(at, notes.irregular, notes.irregular + 1);
  *at = begin;
  ++notes.irregular;
}

/// The punctuation of a block that is not ASCII, and marks on punctuation. In `other` those that do
/// not surely stay as they are, whatever their neighbors.
HWY_NOINLINE std::uint64_t wide_symbols(const std::uint8_t* text, std::uint64_t left,
                                        std::uint64_t& other) {
  constexpr std::uint32_t first_quote = 0x2010;  // to U+2027: hyphens, quotation marks, dots
  constexpr std::uint32_t quotes = 0x18;
  std::uint64_t symbols = 0;
  while (left != 0) {
    const unsigned i = static_cast<unsigned>(std::countr_zero(left));
    const utf8::Decoded decoded =
        utf8::decode({reinterpret_cast<const char*>(text + i), block_bytes - i}, 0);
    const std::uint64_t bits = ones_below(decoded.bytes) << i;
    left &= ~bits;
    // An ideograph before it is no word that it could join, and most texts with ideographs have
    // many such signs.
    const bool after_ideograph = i >= 3 && text[i - 3] >= 0xE5 && text[i - 3] <= 0xE9 &&
                                 (text[i - 2] & 0xC0) == 0x80 && (text[i - 1] & 0xC0) == 0x80;
    if (after_ideograph) continue;
    const bool quote = decoded.code_point - first_quote < quotes;
    if (!quote && (!decoded.valid || !is_inside_word(decoded.code_point))) continue;
    symbols |= bits;
    if (!quote) other |= bits;
  }
  return symbols;
}

/// Gaps between words in a block: all symbols, those of them that are not sure to stay as they are,
/// and the bytes of words after a gap that follows a word.
struct Gaps {
  std::uint64_t symbols = 0;
  std::uint64_t other = 0;
  std::uint64_t ends = 0;
  bool undecided = false;  ///< the last one follows a word, and may go on in the next block
};

/// Finds them without a jump that depends on the text.
HWY_INLINE Gaps find_gaps(const std::uint8_t* text, std::uint64_t wide, const Block& block,
                          std::uint64_t before) {
  Gaps gaps;
  gaps.symbols = ascii_graphics(text) & ~block.word;
  const std::uint64_t wide_left = wide & ~block.word & ones_below(block.bytes);
  if (wide_left != 0) gaps.symbols |= wide_symbols(text, wide_left, gaps.other);
  gaps.symbols &= ones_below(block.bytes);
  // Adding a one at the beginning of a gap carries through it, to the byte after it.
  const unsigned rest = block_bytes - block.bytes;
  std::uint64_t sum;
  gaps.undecided =
      __builtin_add_overflow(gaps.symbols << rest, (gaps.symbols & before) << rest, &sum);
  gaps.ends = sum >> rest & ~gaps.symbols & block.word;
  return gaps;
}

/// The bytes of punctuation inside a word. A gap that may go on in the next block is left to it.
HWY_NOINLINE std::uint64_t joining_gaps(std::uint32_t position, Gaps gaps, std::uint64_t before,
                                        Block& block, const Scan& scan, Notes& notes) {
  if (gaps.undecided) {
    const unsigned rest = block_bytes - block.bytes;
    const unsigned last = static_cast<unsigned>(std::countl_one(gaps.symbols << rest));
    const unsigned begin = block.bytes - last;
    if (begin == 0) {
      const bool joins = notes.gap_joins(position) && is_run(notes.text.substr(scan.edge[-1]));
      if (joins && gaps.other != 0) note_irregular(position, position + last, notes);
      return joins ? gaps.symbols : 0;
    }
    block.bytes = begin;
    gaps.symbols &= ones_below(begin);
    while (notes.irregular > notes.edges + edges_in_chunk &&
           notes.irregular[-1] >= position + begin) {
      --notes.irregular;
    }
  }
  const std::uint64_t begins = block.word & (~before | block.cut);
  std::uint64_t joining = 0;
  for (; gaps.ends != 0; gaps.ends &= gaps.ends - 1) {
    const unsigned end = static_cast<unsigned>(std::countr_zero(gaps.ends));
    const unsigned length = static_cast<unsigned>(std::countl_one(gaps.symbols << (64 - end)));
    const unsigned begin = end - length;
    const std::uint64_t begins_before = begins & ones_below(begin);
    const std::uint32_t word_before =
        begins_before == 0
            ? scan.edge[-1]
            : position + 63 - static_cast<std::uint32_t>(std::countl_zero(begins_before));
    if (!is_run(notes.text.substr(position + end)) || !is_run(notes.text.substr(word_before))) {
      continue;
    }
    const std::uint64_t gap = ones_below(end) & ~ones_below(begin);
    joining |= gap;
    if ((gap & gaps.other) != 0) note_irregular(position + begin, position + end, notes);
  }
  return joining;
}

/// The runs of at least `least` ones.
HWY_INLINE std::uint64_t long_runs(std::uint64_t bits, unsigned least) {
  for (unsigned width = 1; width < least;) {
    const unsigned step = std::min(width, least - width);
    bits &= bits >> step;
    width += step;
  }
  for (unsigned width = 1; width < least;) {
    const unsigned step = std::min(width, least - width);
    bits |= bits << step;
    width += step;
  }
  return bits;
}

/// Takes the words of a block of ASCII that are too short. The last one may go on; the first one
/// may have begun before, and is left if it is to be measured.
HWY_INLINE void drop_short_words(std::uint32_t position, std::uint32_t least, bool measured,
                                 Block& block, Scan& scan) {
  const unsigned of_first =
      scan.in_word != 0 ? static_cast<unsigned>(std::countr_one(block.word)) : 0;
  const unsigned of_last = static_cast<unsigned>(std::countl_one(block.word));
  const std::uint64_t first = ones_below(of_first);
  std::uint64_t word = long_runs(block.word, least) | first | ~ones_below(block_bytes - of_last);
  const bool drops = scan.in_word != 0 && of_first < block_bytes && !measured &&
                     position + of_first - scan.edge[-1] < least;
  if (drops) word &= ~first;
  scan.edge -= drops ? 1 : 0;
  scan.in_word = drops ? 0 : scan.in_word;
  block.word = word;
}

/// Of a block: none of its pairs is to be measured.
constexpr std::uint32_t no_doubt = ~std::uint32_t{0};

/// Changes the masks of a block as the rule says, and keeps them. Returns the first pair that is to
/// be measured, if one is.
HWY_NOINLINE std::uint32_t apply_rule(const std::uint8_t* text, std::uint32_t position,
                                      std::uint64_t wide, Block& block, Scan& scan, Notes& notes) {
  const WordRule& rule = *notes.rule;
  Measures& measures = notes.measures;
  const auto pair = static_cast<std::uint32_t>(scan.edge - notes.edges) / 2;
  const unsigned bytes = block.bytes;
  std::uint64_t gaps = 0;
  if (rule.punctuation != Punctuation::split) {
    const std::uint64_t before = block.word << 1 | scan.in_word;
    const Gaps found = find_gaps(text, wide, block, before);
    if (found.ends != 0 || found.undecided) [[unlikely]] {
      gaps = joining_gaps(position, found, before, block, scan, notes);
      block.word |= gaps;
    }
  }
  const std::uint64_t valid = ones_below(block.bytes);
  std::uint64_t digits = 0;
  if (rule.max_digits != WordRule::any_digits) {
    digits = ascii_digits(text) & valid;
    if (wide != 0) digits |= wide_digits(text, block.chars & wide & valid);
  }
  const std::uint32_t at = position - notes.chunk_begin;
  measures.chars.append(at, block.chars & valid);
  measures.digits.append(at, digits);
  if (rule.punctuation == Punctuation::drop) measures.gaps.append(at, gaps);
  if ((wide | digits | gaps | block.cut) != 0 || block.bytes < bytes) {
    measures.open = true;
    return pair > 0 ? pair - 1 : 0;  // the word before may have ended where this block begins
  }
  const bool measured = measures.open && scan.in_word != 0;
  if (rule.min_chars > 1) drop_short_words(position, rule.min_chars, measured, block, scan);
  measures.open = measured && ~block.word == 0;
  return measured ? pair : no_doubt;
}

/// Notes the pairs to be measured that have ended now.
HWY_INLINE void note_doubt(std::uint32_t first, const Scan& scan, Notes& notes) {
  if (first == no_doubt) return;
  const auto end = static_cast<std::uint32_t>(scan.edge - notes.edges) / 2;
  notes.measures.doubt(first, end);
}

/// All three steps for the 64 bytes at `text`, which are at `position` in the document; returns how
/// many bytes it has finished.
HWY_INLINE unsigned scan_block(const std::uint8_t* text, std::uint32_t position,
                               std::uint8_t* folded, Scan& scan, Notes& notes) {
  std::uint64_t wide;
  const std::uint64_t ascii = fold_ascii(text, folded, wide);
  Block block{.word = ascii, .chars = ascii, .cut = scan.cut};
  if (wide != 0) {
    block = read_wide(text, position, folded, wide, scan.in_word, scan.edge, block, notes);
    if (block.reach_back != 0) [[unlikely]]
      begin_before(position - block.reach_back, scan);
  }
  const std::uint32_t doubtful =
      notes.rule == nullptr ? no_doubt : apply_rule(text, position, wide, block, scan, notes);

  const std::uint64_t before = block.word << 1 | scan.in_word;
  const std::uint64_t valid = ones_below(block.bytes);
  if (block.cut == 0) {
    // No token touches another: every change of the mask is an edge.
    scan.edge = write_ones<1>((block.word ^ before) & valid, position, scan.edge);
  } else {
    const std::uint64_t ends = before & (~block.word | block.cut) & valid;
    const std::uint64_t begins = block.word & (~before | block.cut) & valid;
    scan.edge = write_touching_edges(ends, begins, position, scan.edge);
  }
  scan.in_word = block.word >> (block.bytes - 1) & 1;
  if (notes.rule != nullptr) note_doubt(doubtful, scan, notes);
  scan.cut = block.bytes < block_bytes ? block.cut >> block.bytes & 1 : block.next_cut;
  return block.bytes;
}

/// The three steps for a chunk of blocks that begins at `position`, into `folded`; returns where
/// the next chunk begins, which is past the text after the last.
HWY_INLINE std::uint64_t scan_chunk(std::string_view text, std::uint64_t position,
                                    std::uint8_t* folded, Scan& state, Notes& notes) {
  Scan scan = state;  // in registers
  const std::uint8_t* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const std::uint64_t size = text.size();
  const std::uint64_t begin = position;
  const std::uint64_t end = std::min<std::uint64_t>(begin + words_chunk_bytes, size);
  while (position < end && size - position >= readable_bytes) {
    position += scan_block(bytes + position, static_cast<std::uint32_t>(position),
                           folded + (position - begin), scan, notes);
  }
  if (size - position >= readable_bytes) {
    state = scan;
    return position;
  }

  constexpr std::size_t bytes_before = 8;
  std::uint8_t last[bytes_before + 3 * block_bytes] = {};
  const std::size_t before = std::min<std::size_t>(position, bytes_before);
  std::memcpy(last + bytes_before - before, bytes + position - before, before + size - position);
  const std::uint64_t last_begin = position;
  while (position < size || (position == size && scan.in_word != 0)) {
    position +=
        scan_block(last + bytes_before + (position - last_begin),
                   static_cast<std::uint32_t>(position), folded + (position - begin), scan, notes);
  }
  state = scan;
  return position;
}

/// The source of a chunk's tokens.
struct ChunkText {
  std::string_view text;
  const std::uint8_t* folded = nullptr;
  std::uint32_t folded_begin = 0;
  const WordRule* rule = nullptr;
  Measures* measures = nullptr;

  std::string_view token(std::uint32_t begin, std::uint32_t end) const {
    return text.substr(begin, end - begin);
  }
  std::uint64_t hash_from_text(std::uint32_t begin, std::uint32_t end) const {
    if (!drops_gaps()) return canonical_hash(token(begin, end), LetterCase::fold);
    std::string joined;
    append_joined(token(begin, end), *rule, joined);
    return token_hash(joined);
  }
  /// Are there words that are not their bytes in the copy, since punctuation in them is dropped?
  bool drops_gaps() const { return rule != nullptr && rule->punctuation == Punctuation::drop; }
  bool has_gap(std::uint32_t begin, std::uint32_t end) const {
    for (std::uint32_t at = begin; at < end; at += ByteBits::most) {
      const std::uint32_t count = std::min(end - at, ByteBits::most);
      if (measures->gaps.at(at - folded_begin, count) != 0) return true;
    }
    return false;
  }
  /// The hash of a word without its gaps.
  std::uint64_t hash_joined(std::uint32_t begin, std::uint32_t end) const {
    TokenHasher hasher;
    for (std::uint32_t at = begin; at < end;) {
      const std::uint32_t count = std::min(end - at, ByteBits::most);
      const std::uint64_t gaps = measures->gaps.at(at - folded_begin, count);
      const auto bytes = std::min(count, static_cast<std::uint32_t>(std::countr_zero(gaps)));
      hasher.add(folded + (at - folded_begin), bytes);
      at += bytes + static_cast<std::uint32_t>(std::countr_one(gaps >> (bytes % 64)));
    }
    return hasher.value();
  }
  HWY_INLINE std::uint64_t hash(std::uint32_t begin, std::uint32_t end) const {
    return token_hash_padded(folded + (begin - folded_begin), end - begin);
  }
};

/// Moves the edges of the words that the rule keeps to the front; returns their number. Measures
/// the doubtful pairs alone.
HWY_NOINLINE std::size_t keep_words(const ChunkText& chunk, std::uint32_t* edges, std::size_t count,
                                    std::span<const std::uint32_t> irregulars) {
  const WordRule rule = *chunk.rule;  // in registers
  const bool drops = chunk.drops_gaps();
  Measures& measures = *chunk.measures;
  std::size_t kept = 0;
  std::size_t irregular = 0;
  const auto is_irregular = [&](std::uint32_t begin, std::uint32_t end) HWY_ATTR {
    while (irregular < irregulars.size() && irregulars[irregular] < begin) ++irregular;
    return irregular < irregulars.size() && irregulars[irregular] < end;
  };
  const auto keep = [&](std::size_t from, std::size_t to) HWY_ATTR {
    if (kept != from) std::memmove(edges + 2 * kept, edges + 2 * from, (to - from) * 8);
    kept += to - from;
  };
  std::size_t next = 0;
  for (std::size_t doubt = 0; doubt < measures.doubts; ++doubt) {
    const Measures::Pairs pairs = measures.doubtful[doubt];
    keep(next, pairs.begin);
    next = pairs.end;
    for (std::size_t i = pairs.begin; i < pairs.end; ++i) {
      const std::uint32_t begin = edges[2 * i];
      const std::uint32_t end = edges[2 * i + 1];
      bool keeps = false;
      bool joined = false;
      if (begin < chunk.folded_begin || end - begin > ByteBits::most || is_irregular(begin, end))
          [[unlikely]] {
        keeps = rule.keeps(chunk.token(begin, end));
        joined = drops && begin >= chunk.folded_begin && chunk.has_gap(begin, end);
      } else {
        const std::uint32_t at = begin - chunk.folded_begin;
        const std::uint64_t chars = measures.chars.at(at, end - begin);
        const std::uint64_t digits = measures.digits.at(at, end - begin);
        // Only a word begins with a character: no ideograph does, and no emoji.
        const bool is_word = (chars & 1) != 0;
        keeps = !is_word | rule.keeps(static_cast<std::uint32_t>(std::popcount(chars)),
                                      static_cast<std::uint32_t>(std::popcount(digits)));
        joined = drops && measures.gaps.at(at, end - begin) != 0;
      }
      if (joined && keeps) measures.joined[measures.joins++] = static_cast<std::uint32_t>(kept);
      edges[2 * kept] = begin;
      edges[2 * kept + 1] = end;
      kept += keeps ? 1 : 0;
    }
  }
  keep(next, count);
  return kept;
}

/// Hashes the `count` tokens between pairs of edges. Those that began before the chunk are read
/// from the text; so are those with something irregular.
HWY_INLINE void hash_tokens(const ChunkText& chunk, const std::uint32_t* edges, std::size_t count,
                            std::span<const std::uint32_t> irregulars, std::uint64_t* tokens) {
  const auto hash_from_text = [&](std::size_t i) HWY_ATTR {
    tokens[i] = chunk.hash_from_text(edges[2 * i], edges[2 * i + 1]);
  };
  std::size_t next = 0;
  while (next < count && edges[2 * next] < chunk.folded_begin) hash_from_text(next++);
  for (std::size_t i = next; i < count; ++i) tokens[i] = chunk.hash(edges[2 * i], edges[2 * i + 1]);
  if (chunk.rule != nullptr) {
    for (const std::uint32_t i : std::span(chunk.measures->joined).first(chunk.measures->joins)) {
      tokens[i] = chunk.hash_joined(edges[2 * i], edges[2 * i + 1]);
    }
  }
  // Positions ascend as the edges do; one that is in no token here is in a token that was or will
  // be read from the text.
  for (const std::uint32_t irregular : irregulars) {
    while (next < count && edges[2 * next + 1] <= irregular) ++next;
    if (next < count && edges[2 * next] <= irregular) hash_from_text(next++);
  }
}

/// A piece of a text with unspaced letters, and its state.
struct Piece {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool unspaced = false;
  bool from_text = false;  ///< its bytes in the copy are missing or not canonical
  bool touched = false;    ///< the piece before is unspaced too, and adjacent
};

/// Makes tokens of pieces: see for_each_token() in text/words_reference.h. Writes at
/// most one token a piece, and one more.
class PieceTokens {
 public:
  PieceTokens(const ChunkText& chunk, std::uint64_t* tokens, TokenOffsets* offsets)
      : chunk_(chunk), tokens_(tokens), offsets_(offsets) {}

  /// Takes the piece after `last`, and stores it there.
  HWY_INLINE void take(Piece& last, Piece next) {
    next.touched = last.unspaced && next.unspaced && last.end == next.begin;
    if (next.touched) {
      write(last.begin, next.end, last.from_text || next.from_text);
    } else {
      write_alone(last);
    }
    last = next;
  }

  /// Writes a piece that no other will touch, unless a token already contains it.
  HWY_INLINE void write_alone(const Piece& piece) {
    if (piece.touched || piece.end == piece.begin) return;
    const bool from_text = piece.from_text || (!piece.unspaced && chunk_.drops_gaps() &&
                                               chunk_.has_gap(piece.begin, piece.end));
    write(piece.begin, piece.end, from_text);
  }

  std::size_t count() const { return count_; }

 private:
  HWY_INLINE void write(std::uint32_t begin, std::uint32_t end, bool from_text) {
    if (chunk_.rule != nullptr && !chunk_.rule->keeps(chunk_.token(begin, end))) return;
    tokens_[count_] = from_text ? chunk_.hash_from_text(begin, end) : chunk_.hash(begin, end);
    if (offsets_ != nullptr) offsets_[count_] = {begin, end};
    ++count_;
  }

  const ChunkText& chunk_;
  std::uint64_t* const tokens_;
  TokenOffsets* const offsets_;
  std::size_t count_ = 0;
};

/// The same as hash_tokens() for a chunk with unspaced letters, or after one whose last piece may
/// be touched; leaves its own last piece in `last`.
HWY_NOINLINE std::size_t hash_pieces(const ChunkText& chunk, const std::uint32_t* edges,
                                     std::size_t count, const Piece& first, const Notes& notes,
                                     std::span<const std::uint32_t> irregulars, Piece& last,
                                     std::uint64_t* tokens, TokenOffsets* offsets) {
  PieceTokens out(chunk, tokens, offsets);
  last.from_text |= last.begin < chunk.folded_begin;
  std::size_t irregular = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Piece piece{edges[2 * i], edges[2 * i + 1]};
    if (piece.begin < chunk.folded_begin) {
      piece.unspaced = first.unspaced && piece.begin == first.begin;
      piece.from_text = true;
    } else {
      piece.unspaced = notes.is_unspaced(piece.begin);
    }
    while (irregular < irregulars.size() && irregulars[irregular] < piece.end) {
      piece.from_text |= irregulars[irregular++] >= piece.begin;
    }
    out.take(last, piece);
  }
  return out.count();
}

/// Grows to at least `size` values, keeping the old ones.
template <class Value>
void extend(std::vector<Value>& values, std::size_t size) {
  if (values.capacity() < size) values.reserve(size + size / 2);
  if (values.size() < size) values.resize(size);
}

/// The kernel's walk from chunk to chunk.
class WordScan {
 public:
  WordScan(std::string_view text, const WordRule* rule, Offsets offsets, Analysis& out)
      : text_(text), keep_(offsets == Offsets::keep), out_(out) {
    notes_.rule = rule;
  }

  void run() {
    extend(out_.folded, folded_bytes);
    extend(out_.edges, 1 + edges_in_chunk + irregulars_in_chunk);
    std::uint32_t* const edges = out_.edges.data() + 1;  // the one before is read, too
    notes_.edges = edges;
    scan_.edge = edges;
    notes_.text = text_;
    for (std::uint64_t position = 0; position < text_.size();) {
      const auto begin = static_cast<std::uint32_t>(position);
      notes_.begin_chunk(begin, edges + edges_in_chunk, scan_.in_word != 0);
      position = scan_chunk(text_, position, out_.folded.data(), scan_, notes_);
      write_tokens({text_, out_.folded.data(), begin, notes_.rule, &notes_.measures}, edges);
      leave_open(begin, edges);
    }
    last_.from_text = true;
    write_last({text_, nullptr, 0, notes_.rule, &notes_.measures});
    out_.tokens.resize(count_);
    out_.offsets.resize(keep_ ? count_ : 0);
    out_.replaced = notes_.replaced;
  }

 private:
  void write_tokens(const ChunkText& chunk, std::uint32_t* edges) {
    std::size_t found = static_cast<std::size_t>(scan_.edge - edges) / 2;
    const std::span<const std::uint32_t> irregulars{edges + edges_in_chunk, notes_.irregular};
    make_room(found);
    if (notes_.any_unspaced || open_.unspaced || last_.unspaced) [[unlikely]] {
      count_ +=
          hash_pieces(chunk, edges, found, open_, notes_, irregulars, last_, tokens(), offsets());
      if (!last_.unspaced) write_last(chunk);
      return;
    }
    if (chunk.rule != nullptr) found = keep_words(chunk, edges, found, irregulars);
    hash_tokens(chunk, edges, found, irregulars, tokens());
    if (keep_ && found > 0) {
      std::memcpy(static_cast<void*>(offsets()), edges, found * sizeof(TokenOffsets));
    }
    count_ += found;
  }

  /// Leaves the beginning of a token that has not ended to the next chunk.
  void leave_open(std::uint32_t chunk_begin, std::uint32_t* edges) {
    const bool any = (scan_.edge - edges) % 2 != 0;
    if (any) {
      const std::uint32_t begin = scan_.edge[-1];
      const bool unspaced = begin < chunk_begin ? open_.unspaced : notes_.is_unspaced(begin);
      open_ = {.begin = begin, .end = begin + 1, .unspaced = unspaced, .from_text = true};
      edges[0] = begin;
    } else {
      open_ = {};
    }
    scan_.edge = edges + (any ? 1 : 0);
  }

  void write_last(const ChunkText& chunk) {
    make_room(0);
    PieceTokens tokens_of_last(chunk, tokens(), offsets());
    tokens_of_last.write_alone(last_);
    count_ += tokens_of_last.count();
    last_ = {};
  }

  void make_room(std::size_t found) {
    extend(out_.tokens, count_ + found + 1);
    if (keep_) extend(out_.offsets, count_ + found + 1);
  }

  std::uint64_t* tokens() { return out_.tokens.data() + count_; }
  TokenOffsets* offsets() { return keep_ ? out_.offsets.data() + count_ : nullptr; }

  const std::string_view text_;
  const bool keep_;
  Analysis& out_;
  Scan scan_;
  Notes notes_;
  std::size_t count_ = 0;  ///< tokens so far
  Piece open_;             ///< begun in the last chunk and not ended
  Piece last_;             ///< an unspaced piece that ended there, and may be touched
};

void Words(std::string_view text, const WordRule* rule, Offsets offsets, Analysis& out) {
  WordScan(text, rule, offsets, out).run();
}

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace twinset
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset {
namespace {
HWY_EXPORT(Words);
}  // namespace

void words_simd(std::string_view text, Offsets offsets, Analysis& out) {
  HWY_DYNAMIC_DISPATCH(Words)(text, nullptr, offsets, out);
}

void words_simd(std::string_view text, const WordRule& rule, Offsets offsets, Analysis& out) {
  const bool all = rule.keeps_all() && rule.punctuation == Punctuation::split;
  HWY_DYNAMIC_DISPATCH(Words)(text, all ? nullptr : &rule, offsets, out);
}

}  // namespace twinset
#endif  // HWY_ONCE

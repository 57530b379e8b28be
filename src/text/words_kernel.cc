// The idea, for a block of 64 bytes:
//
//   1. Vectors fold ASCII letters into a scratch copy and say in two 64-bit
//      masks which bytes are ASCII word characters and which are not ASCII.
//   2. Each sequence that is not ASCII is decoded and looked up. A word
//      character sets its bytes' bits in the word mask; an ideograph sets them
//      too, and a cut before and behind it. Folding nearly always keeps the
//      number of bytes, and is then written in place, so that a token's bytes in
//      the copy lie where they lie in the text. The few characters of which that
//      is not true, and ignorable ones inside words, are noted as irregular.
//   3. Where the mask changes, and at cuts, tokens begin and end: these edges,
//      positions in the text, alternate in one array. A block that ends inside a
//      sequence gives up those bytes to the next one.
//
// Two ways lead through step 2. A few sequences are read in turn, and so are bytes
// that are not UTF-8. Many are read by masks: vectors find the leads, and classes
// for whole ranges of them (most ideographs, most of Hangul, small letters of
// Cyrillic and others); only what remains is looked up.
//
// After a chunk of blocks the pairs of edges are hashed from the copy. Tokens
// that hold something irregular, or began in an earlier chunk, are hashed from
// the text again, a code point at a time; both are rare, and so there is no limit
// to a token's length and no copying of beginnings. The pairs are the offsets.
//
// Blocks are read from the text itself while more than 64 bytes are left of it;
// the rest is read from a copy with zeros behind it, which separate.
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

#include "text/token_hash.h"
#include "text/unicode_table.h"
#include "text/utf8.h"
#include "text/words_reference.h"

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

constexpr unsigned block_bytes = 64;

/// A block is looked at together with the byte behind it.
constexpr unsigned readable_bytes = block_bytes + 1;

static_assert(std::is_trivially_copyable_v<TokenOffsets>, "a pair of edges is copied into one");

// Bounds for one chunk, whose blocks may end up to a block behind it, and whose
// last is up to two blocks of padded copy. No byte has more than one edge to its
// name ("a" and a blank have two), no irregular character fewer than two bytes.
constexpr std::size_t chunk_reach = words_chunk_bytes + 3 * block_bytes;
constexpr std::size_t folded_bytes = chunk_reach + 2 * block_bytes;
constexpr std::size_t edges_in_chunk = chunk_reach + block_bytes;
constexpr std::size_t irregulars_in_chunk = chunk_reach / 2;

/// Bits below `bit`, which is at most 64.
constexpr std::uint64_t ones_below(unsigned bit) {
  return bit >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bit) - 1;
}

/// The places of the ones in a byte, lowest first, then zeros.
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

/// What one block hands to the next, and where their edges go.
struct Scan {
  std::uint64_t in_word = 0;  ///< 1 if the byte before is a token's
  std::uint64_t cut = 0;      ///< 1 if that token ends there whatever comes
  std::uint32_t* edge = nullptr;
};

/// What is rare and noted beside the edges.
struct Notes {
  std::uint32_t* irregular = nullptr;  ///< where the next irregular position goes
  std::uint64_t replaced = 0;
};

/// A block's masks; only the bits below `bytes` count.
struct Block {
  std::uint64_t word = 0;
  std::uint64_t cut = 0;  ///< a token ends, or begins, before this byte
  std::uint64_t next_cut = 0;
  unsigned bytes = block_bytes;
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

/// Folds a word character's `length` bytes in place; false if that is another length.
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

/// Folds a sequence of two bytes that does not stand apart; returns the mask of its
/// bytes if it is a word character, else 0.
HWY_INLINE std::uint64_t fold_two_bytes(std::uint32_t entry, std::uint8_t* folded) {
  const std::uint16_t bytes = static_cast<std::uint16_t>(entry);
  std::memcpy(folded, &bytes, sizeof bytes);
  return (entry & unicode::two_bytes_word) != 0 ? 3 : 0;
}

/// Step 2 for any bytes, one sequence behind the other; the quicker way when there
/// are few.
HWY_NOINLINE Block read_wide_in_turn(const std::uint8_t* text, std::uint32_t position,
                                     std::uint8_t* folded, std::uint64_t wide,
                                     std::uint64_t in_word, Block block, Notes& notes) {
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
        block.word |= fold_two_bytes(entry, folded + i) << i;
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
    switch (unicode::class_of_rule(rule)) {
      case unicode::WordClass::separator:
        break;
      case unicode::WordClass::word:
        block.word |= bits;
        if (rule >= unicode::first_folding_rule &&
            !fold_in_place(decoded.code_point, rule, length, folded + i)) {
          *notes.irregular++ = position + i;
        }
        break;
      case unicode::WordClass::ideograph:
        block.word |= bits;
        block.cut |= first | (first << (length - 1) << 1);
        block.next_cut = i + length == block_bytes ? 1 : 0;
        break;
      case unicode::WordClass::ignorable:
        if ((block.word << 1 | in_word) & ~block.cut & first) {
          block.word |= bits;
          *notes.irregular++ = position + i;
        }
        break;
    }
    wide &= ~bits;
  }
  return block;
}

/// Where sequences begin, by their lengths, and leads that settle the class.
struct Leads {
  std::uint64_t two = 0;
  std::uint64_t three = 0;
  std::uint64_t four = 0;
  std::uint64_t ideograph = 0;  ///< E5 to E9: U+5000 to U+9FFF
  std::uint64_t syllable = 0;   ///< EB and EC: U+B000 to U+CFFF, Hangul
  std::uint64_t plain = 0;      ///< of two bytes: words that fold to themselves
};

/// Where a pair of bytes is one of unicode::plain_pairs.
HWY_INLINE auto plain_pairs(Bytes d, [[maybe_unused]] const std::uint8_t* text) {
#if HWY_TARGET == HWY_SCALAR
  return hn::MaskFromVec(hn::Zero(d));  // a lane of one byte is no table
#else
  // The bits that a first byte can have, and that a second asks for, by their
  // high halves.
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

/// What the sequences of a block were found to be, each told at its lead's bit.
struct Sequences {
  std::uint64_t word = 0;
  std::uint64_t ideograph = 0;
  std::uint64_t ignorable = 0;
  std::uint64_t irregular = 0;  ///< a word character that folds to another length
  bool valid = true;
};

/// Reads one sequence of `length` bytes at bit `i`.
HWY_INLINE void read_sequence(const std::uint8_t* text, unsigned i, unsigned length,
                              std::uint8_t* folded, Sequences& found) {
  const utf8::Decoded decoded = utf8::decode({reinterpret_cast<const char*>(text + i), length}, 0);
  const std::uint8_t rule = unicode::rule(decoded.code_point);
  const std::uint64_t lead = std::uint64_t{1} << i;
  found.valid &= decoded.valid;
  switch (unicode::class_of_rule(rule)) {
    case unicode::WordClass::separator:
      break;
    case unicode::WordClass::ideograph:
      found.ideograph |= lead;
      break;
    case unicode::WordClass::ignorable:
      found.ignorable |= lead;
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
      found.word |= (fold_two_bytes(entry, folded + i) & 1) << i;
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
    if (code_point < 0x800 || code_point >> 11 == 0x1B || rule > 2) [[unlikely]] {
      read_sequence(text, i, 3, folded, found);
      continue;
    }
    found.word |= static_cast<std::uint64_t>(rule & 1) << i;
    found.ideograph |= static_cast<std::uint64_t>(rule >> 1) << i;
  }
}

/// Step 2: reads the sequences that are not ASCII, whose bytes `wide` marks, into
/// the block's masks. `in_word` and block.cut are what the block before left.
HWY_NOINLINE Block read_wide(const std::uint8_t* text, std::uint32_t position, std::uint8_t* folded,
                             std::uint64_t wide, std::uint64_t in_word, Block block, Notes& notes) {
  constexpr int few_bytes = 6;
  if (std::popcount(wide) <= few_bytes) {
    return read_wide_in_turn(text, position, folded, wide, in_word, block, notes);
  }
  Leads leads = find_leads(text);
  // The block gives up a sequence that reaches over its end.
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
    return read_wide_in_turn(text, position, folded, wide, in_word, block, notes);
  }

  Sequences found;
  found.ideograph = leads.ideograph & kept;
  found.word = (leads.syllable | leads.plain) & kept;
  read_twos(text, leads.two & ~leads.plain, folded, found);
  read_threes(text, leads.three & ~(leads.ideograph | leads.syllable), folded, found);
  for (std::uint64_t left = leads.four; left != 0; left &= left - 1) {
    read_sequence(text, static_cast<unsigned>(std::countr_zero(left)), 4, folded, found);
  }
  if (!found.valid) {
    return read_wide_in_turn(text, position, folded, wide, in_word, block, notes);
  }

  const auto spread = [&](std::uint64_t at) HWY_ATTR {
    const std::uint64_t at_long = at & long_ones;
    return at | at << 1 | at_long << 2 | (at & leads.four) << 3;
  };
  const std::uint64_t three = found.ideograph & leads.three;
  const std::uint64_t four = found.ideograph & leads.four;
  block.bytes = bytes;
  block.word |= spread(found.word | found.ideograph);
  block.cut |= found.ideograph | three << 3 | four << 4;
  block.next_cut = three >> 61 | four >> 60;
  for (std::uint64_t left = found.ignorable; left != 0; left &= left - 1) {
    const std::uint64_t lead = left & (~left + 1);
    if ((block.word << 1 | in_word) & ~block.cut & lead) {
      block.word |= spread(lead);
      found.irregular |= lead;
    }
  }
  for (std::uint64_t left = found.irregular; left != 0; left &= left - 1) {
    *notes.irregular++ = position + static_cast<std::uint32_t>(std::countr_zero(left));
  }
  return block;
}

/// The numbers `first` + n / divisor of the ones of `bits`, n being their places;
/// how many there are. Packs them a vector at a time, without a branch; writes
/// whole vectors, for which the caller has room.
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

/// Step 3 where tokens touch: a place can be an end and then a beginning.
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

/// All three steps for the 64 bytes at `text`, which lie at `position` in the
/// document; how many of them it has done with.
HWY_INLINE unsigned scan_block(const std::uint8_t* text, std::uint32_t position,
                               std::uint8_t* folded, Scan& scan, Notes& notes) {
  std::uint64_t wide;
  Block block{.word = fold_ascii(text, folded, wide), .cut = scan.cut};
  if (wide != 0) block = read_wide(text, position, folded, wide, scan.in_word, block, notes);

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
  scan.cut = block.bytes < block_bytes ? block.cut >> block.bytes & 1 : block.next_cut;
  return block.bytes;
}

/// The three steps for a chunk of blocks that begins at `position`, into `folded`;
/// where the next chunk begins, behind the text if this was the last.
HWY_INLINE std::uint64_t scan_chunk(std::string_view text, std::uint64_t position,
                                    std::uint8_t* folded, Scan& scan, Notes& notes) {
  const std::uint8_t* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const std::uint64_t size = text.size();
  const std::uint64_t begin = position;
  const std::uint64_t end = std::min<std::uint64_t>(begin + words_chunk_bytes, size);
  while (position < end && size - position >= readable_bytes) {
    position += scan_block(bytes + position, static_cast<std::uint32_t>(position),
                           folded + (position - begin), scan, notes);
  }
  if (size - position >= readable_bytes) return position;

  std::uint8_t last[3 * block_bytes] = {};
  std::memcpy(last, bytes + position, size - position);
  const std::uint64_t last_begin = position;
  while (position < size || (position == size && scan.in_word != 0)) {
    position += scan_block(last + (position - last_begin), static_cast<std::uint32_t>(position),
                           folded + (position - begin), scan, notes);
  }
  return position;
}

/// Hashes the `count` tokens between pairs of edges. The first is read from the
/// text if it began before `folded` did; so are those with something irregular.
HWY_INLINE void hash_tokens(std::string_view text, const std::uint32_t* edges, std::size_t count,
                            bool first_began_before, std::span<const std::uint32_t> irregulars,
                            const std::uint8_t* folded, std::uint32_t folded_begin,
                            std::uint64_t* tokens) {
  const auto hash_from_text = [&](std::size_t i) HWY_ATTR {
    tokens[i] = folded_token_hash(text.substr(edges[2 * i], edges[2 * i + 1] - edges[2 * i]));
  };
  std::size_t next = 0;
  if (first_began_before && count > 0) hash_from_text(next++);
  for (std::size_t i = next; i < count; ++i) {
    const std::uint32_t begin = edges[2 * i];
    tokens[i] = token_hash_padded(folded + (begin - folded_begin), edges[2 * i + 1] - begin);
  }
  // Positions rise as the edges do; what is in no token here is in one that has
  // been read from the text, or will be.
  for (const std::uint32_t irregular : irregulars) {
    while (next < count && edges[2 * next + 1] <= irregular) ++next;
    if (next < count && edges[2 * next] <= irregular) hash_from_text(next++);
  }
}

/// At least `size` values, keeping those there are.
template <class Value>
void extend(std::vector<Value>& values, std::size_t size) {
  if (values.capacity() < size) values.reserve(size + size / 2);
  if (values.size() < size) values.resize(size);
}

void Words(std::string_view text, Offsets offsets, Analysis& out) {
  extend(out.folded, folded_bytes);
  extend(out.edges, edges_in_chunk + irregulars_in_chunk);
  std::uint8_t* const folded = out.folded.data();
  std::uint32_t* const edges = out.edges.data();
  std::uint32_t* const irregulars = edges + edges_in_chunk;

  Scan scan;
  Notes notes;
  scan.edge = edges;
  std::size_t count = 0;
  for (std::uint64_t position = 0; position < text.size();) {
    const auto chunk_begin = static_cast<std::uint32_t>(position);
    const bool open_before = scan.edge != edges;
    notes.irregular = irregulars;
    position = scan_chunk(text, position, folded, scan, notes);

    const std::size_t found = static_cast<std::size_t>(scan.edge - edges) / 2;
    extend(out.tokens, count + found);
    hash_tokens(text, edges, found, open_before, {irregulars, notes.irregular}, folded, chunk_begin,
                out.tokens.data() + count);
    if (offsets == Offsets::keep && found > 0) {
      extend(out.offsets, count + found);
      std::memcpy(static_cast<void*>(out.offsets.data() + count), edges,
                  found * sizeof(TokenOffsets));
    }
    count += found;

    // A token that has not ended leaves its beginning to the next chunk.
    const bool open = (scan.edge - edges) % 2 != 0;
    if (open) edges[0] = scan.edge[-1];
    scan.edge = edges + (open ? 1 : 0);
  }
  out.tokens.resize(count);
  out.offsets.resize(offsets == Offsets::keep ? count : 0);
  out.replaced = notes.replaced;
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
  HWY_DYNAMIC_DISPATCH(Words)(text, offsets, out);
}

}  // namespace twinset
#endif  // HWY_ONCE

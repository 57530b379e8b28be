// The properties of a code point that normalization and full case folding use.
//
//   unicode::canonical_record(0xE9).decomposed   // the place of {2, 'e', 0x301}
//   unicode::compose('e', 0x301)                 // 0xE9
//
// Threads: pure functions over constant tables, some 250 KB (tools/unicode_table.py).
#pragma once

#include <cstdint>
#include <span>

#include "text/unicode_table.h"

namespace twinset::unicode {

/// Indexes into canonical_sequences; 0 if the code point stays as it is.
struct CanonicalRecord {
  std::uint16_t decomposed;  ///< in full and in order; not set for Hangul syllables
  std::uint16_t folded;      ///< CaseFolding's C and F
  std::uint16_t compatible;  ///< the compatibility decomposition, if it differs
  std::uint8_t combining;    ///< canonical combining class
  std::uint8_t may_compose;  ///< may compose with the character before it
};

inline constexpr std::uint32_t canonical_end = 0x30000;  ///< no records from here on
extern const std::uint8_t canonical_stage1[canonical_end / block_size];
extern const std::uint16_t canonical_stage2[];
extern const CanonicalRecord canonical_records[];
extern const std::uint32_t canonical_sequences[];

inline const CanonicalRecord& canonical_record(std::uint32_t code_point) {
  if (code_point >= canonical_end) return canonical_records[0];
  const std::uint32_t block = canonical_stage1[code_point / block_size];
  return canonical_records[canonical_stage2[block * block_size + code_point % block_size]];
}

inline std::span<const std::uint32_t> canonical_sequence(std::uint16_t place) {
  return {&canonical_sequences[place + 1], canonical_sequences[place]};
}

/// Two code points that compose to one, in order. Hangul has a formula.
struct Composition {
  std::uint32_t first;
  std::uint32_t second;
  std::uint32_t composed;
};
inline constexpr std::size_t composition_count = 941;
extern const Composition compositions[composition_count];

/// The code point that `first` and `second` compose to, or 0.
std::uint32_t compose(std::uint32_t first, std::uint32_t second);

/// Code points [begin, end) of general category P or S; in order, not touching.
struct SymbolRange {
  std::uint32_t begin;
  std::uint32_t end;
};
inline constexpr std::size_t symbol_range_count = 338;
extern const SymbolRange symbol_ranges[symbol_range_count];

/// Punctuation or a symbol? O(log ranges).
bool is_symbol(std::uint32_t code_point);

}  // namespace twinset::unicode

// What the kernel of `words` keeps of a chunk to apply a rule for words: masks of its bytes, and
// the words that are to be measured by them.
//
//   measures.begin_chunk(false);
//   measures.chars.append(0, 0b1111);           // block after block: four letters
//   measures.doubt(3, 7);                       // words 3 to 6 are to be measured
//   std::popcount(measures.chars.at(0, 4));     // the characters of a word of four bytes
//
// Threads: belongs to one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "text/words_kernel.h"

namespace twinset {

inline constexpr unsigned block_bytes = 64;
/// The blocks of a chunk may end up to a block after it, and its last is up to two blocks of padded
/// copy.
inline constexpr std::size_t chunk_reach = words_chunk_bytes + 3 * block_bytes;
inline constexpr std::size_t words_in_chunk = chunk_reach / 64 + 2;

/// Bits below `bit`, which is at most 64.
constexpr std::uint64_t ones_below(unsigned bit) {
  return bit >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bit) - 1;
}

/// A bit for each byte of a chunk, given block after block.
class ByteBits {
 public:
  void clear() { words_[0] = 0; }
  /// Sets those from `at` on, which is where the last ones ended.
  void append(std::uint32_t at, std::uint64_t bits) {
    words_[at / 64] |= bits << at % 64;
    words_[at / 64 + 1] = at % 64 != 0 ? bits >> (64 - at % 64) : 0;
  }
  /// The bits of `count` bytes from `at` on, at most `most`.
  std::uint64_t at(std::uint32_t at, std::uint32_t count) const {
    std::uint64_t word;
    std::memcpy(&word, reinterpret_cast<const std::uint8_t*>(words_.data()) + at / 8, sizeof word);
    return word >> at % 8 & ones_below(count);
  }
  static constexpr std::uint32_t most = 57;

 private:
  std::array<std::uint64_t, words_in_chunk + 1> words_;
};

/// What a rule needs to know of a chunk.
struct Measures {
  /// Pairs of edges, to be measured.
  struct Pairs {
    std::uint32_t begin;
    std::uint32_t end;
  };

  ByteBits chars;     ///< a letter or digit begins there
  ByteBits digits;    ///< ... a decimal digit
  ByteBits gaps;      ///< punctuation inside a word
  bool open = false;  ///< the last pair has no end yet, and is to be measured
  std::array<Pairs, words_in_chunk> doubtful;
  std::size_t doubts = 0;
  /// Words whose gaps are dropped, among those that are kept.
  std::array<std::uint32_t, chunk_reach / 3> joined;
  std::size_t joins = 0;
  /// The end of the last gap that was longer than a block, and whether it is inside a word.
  std::size_t gap_end = 0;
  bool gap_joins = false;

  void begin_chunk(bool in_word) {
    chars.clear();
    digits.clear();
    gaps.clear();
    open = in_word;
    doubts = 0;
    joins = 0;
  }
  void doubt(std::uint32_t begin, std::uint32_t end) {
    if (doubts > 0) begin = std::max(begin, doubtful[doubts - 1].end);
    if (begin >= end) return;
    if (doubts > 0 && doubtful[doubts - 1].end == begin) {
      doubtful[doubts - 1].end = end;
    } else {
      doubtful[doubts++] = {begin, end};
    }
  }
};

}  // namespace twinset

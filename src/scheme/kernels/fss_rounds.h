// The later rounds of Fast Similarity Sketching: filling the bins that the first
// round left empty.
//
// Round r sends shingle x to bin fss_bin() with the value fss_word(). A bin keeps the smallest
// word, and a word's high bits are its round, so the first round to reach a bin decides it, and the
// order of the work does not matter.
//
// Threads: pure functions, except for their outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cpu.h"

namespace twinset {

inline constexpr unsigned max_fss_bins = 512;
inline constexpr std::uint32_t fss_empty = 0xffffffff;  ///< only a last word can equal it
inline constexpr std::uint32_t fss_multiplier_low = 0x9e3779b1;
inline constexpr std::uint32_t fss_multiplier_high = 0x85ebca6b;
inline constexpr unsigned fss_value_bits = 22;  ///< below the round's 10 bits

/// The constants that make each round a different function. The last `bins` rounds each fill one
/// bin whatever the shingle, so every bin is filled.
struct FssRounds {
  FssRounds(unsigned log2_bins, std::uint64_t seed);

  unsigned bins() const { return 1U << log2_bins; }
  /// Rounds 1 to count() - 1 are the later ones; the caller runs round 0.
  unsigned count() const { return 2U << log2_bins; }

  unsigned log2_bins;
  std::vector<std::uint32_t> low;   ///< one a round, with a margin
  std::vector<std::uint32_t> high;  ///< the same
};

/// The 32-bit hash of a shingle in one of the later rounds.
inline std::uint32_t fss_round_hash(std::uint64_t shingle, std::uint32_t low, std::uint32_t high) {
  std::uint32_t h = (static_cast<std::uint32_t>(shingle) ^ low) * fss_multiplier_low;
  h ^= h >> 15;
  h ^= static_cast<std::uint32_t>(shingle >> 32) ^ high;
  return h * fss_multiplier_high;
}

inline std::uint32_t fss_bin(std::uint32_t hash, unsigned log2_bins) {
  return hash >> (32 - log2_bins);
}

inline std::uint32_t fss_word(std::uint32_t round, std::uint32_t hash, unsigned log2_bins) {
  return round << fss_value_bits | hash << log2_bins >> (32 - fss_value_bits);
}

/// Fills `words[bin]` for every bin in `empty` (bin numbers, each once). Writes to all of `words`;
/// only those of `empty` are meaningful. `shingles` is not empty; repeats only cost time. Equal for
/// each `level`.
void fill_fss_bins(const FssRounds& rounds, std::span<const std::uint64_t> shingles,
                   std::span<const std::uint16_t> empty, std::span<std::uint32_t> words,
                   SimdLevel level);

}  // namespace twinset

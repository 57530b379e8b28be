// MinHash's inner loop: each slot has its own hash, and gets the smallest hash of all shingles.
//
// Threads: pure functions, except for their outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cpu.h"

namespace twinset {

/// One hash a slot: x -> (x XOR mask) * multiplier modulo 2^32, a bijection; x must be as good as
/// random. Padded to whole blocks; the slots past `count` are computed and not used.
struct MinHashSlots {
  static constexpr std::size_t block = 64;

  MinHashSlots(std::size_t slots, std::uint64_t seed);
  std::size_t padded() const { return masks.size(); }

  std::size_t count;
  std::vector<std::uint32_t> masks;
  std::vector<std::uint32_t> multipliers;  ///< odd
};

/// Lowers each of `minima` (padded() of them) to the smallest hash of `values`.
/// Equal for each `level`.
void lower_minima(const MinHashSlots& slots, std::span<const std::uint32_t> values,
                  std::span<std::uint32_t> minima, SimdLevel level);

/// The minima of a document: each slot's smallest hash over the shingles, after `shingle_key` turns
/// these into values of 32 bits. `minima` has padded() elements.
void find_minima(const MinHashSlots& slots, std::uint64_t shingle_key,
                 std::span<const std::uint64_t> shingles, std::span<std::uint32_t> minima,
                 SimdLevel level);

}  // namespace twinset

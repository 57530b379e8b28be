// The inner loops of simhash: how often each of 64 bits is set in a list of hashes.
//
//   majority_bits(hashes, level);            // a bit for each that more than half of them have
//   add_bit_sums(hashes, weights, sums, level);   // sums[i] += the weights of those with bit i
//
// About 0.4 and 2.5 ns a hash of a long list with AVX2 or AVX-512, 0.5 and 5 with SSE4.
//
// Threads: pure functions, except for their outputs.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/cpu.h"

namespace twinset {

/// For each bit of a hash, the weights of the hashes that have it.
using BitSums = std::array<std::uint64_t, 64>;

/// The bits that more than half of the hashes have; a bit that exactly half have is 0. Equal for
/// each `level`.
std::uint64_t majority_bits(std::span<const std::uint64_t> hashes, SimdLevel level);

/// Adds to sums[i] the weights of the hashes with bit i; hash j has weights[j]. Modulo 2^64. Equal
/// for each `level`.
void add_bit_sums(std::span<const std::uint64_t> hashes, std::span<const std::uint32_t> weights,
                  BitSums& sums, SimdLevel level);

}  // namespace twinset

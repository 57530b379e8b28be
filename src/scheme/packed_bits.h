// Low-precision copies of 32-bit values, packed: the stored form of a sketch.
//
//   std::array<std::uint32_t, 256> words;
//   std::array<std::uint8_t, 128> kept;
//   pack_bits(words, 4, kept);
//   count_matching(kept, other, 4);   // of 256
//
// Threads: pure functions, except for their outputs.
#pragma once

#include <cstdint>
#include <span>

namespace twinset {

/// Keeps `bits` (1, 2, 4 or 8) bits of a hash of each word, the first word in
/// the lowest bits of the first byte. `out` has words.size() * bits / 8 bytes,
/// a whole number.
void pack_bits(std::span<const std::uint32_t> words, unsigned bits, std::span<std::uint8_t> out);

/// Number of equal values at equal places in two packed spans of one size, a
/// multiple of 8 bytes. About 10 ns for 128 bytes.
std::uint32_t count_matching(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
                             unsigned bits);

}  // namespace twinset

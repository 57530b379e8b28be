// The inner loop of a Hamming join: which signatures of a bucket differ from one in few bits.
//
// Threads: pure functions, except for their outputs.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cpu.h"

namespace twinset {

/// A signature of 64 bits a word; bit 0 is the lowest of the last word, so that the order of
/// signatures is that of the numbers that they write.
template <std::size_t Words>
using Signature = std::array<std::uint64_t, Words>;

template <std::size_t Words>
unsigned differing_bits(const Signature<Words>& a, const Signature<Words>& b) {
  unsigned bits = 0;
  for (std::size_t i = 0; i < Words; ++i) {
    bits += static_cast<unsigned>(std::popcount(a[i] ^ b[i]));
  }
  return bits;
}

/// Two places among some signatures, the smaller first.
struct PlacePair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  auto operator<=>(const PlacePair&) const = default;
};

/// Writes the pairs of places, at most `reach` apart, whose signatures differ in at most `distance`
/// bits to `out`, in any order; returns their number. Begins with the pairs whose first place is
/// `next`, and ends where all are written, with `next` behind the last place, or before `out` may
/// have no room. `out` has room for reach_block * reach pairs at least. Equal for each `level`, but
/// for their order.
std::size_t near_within_reach(std::span<const Signature<1>> signatures, std::size_t reach,
                              unsigned distance, std::span<PlacePair> out, std::size_t& next,
                              SimdLevel level);

/// First places that near_within_reach() takes at once.
inline constexpr std::size_t reach_block = 8;

/// Writes the places of the signatures that differ from `signature` in at most `distance` bits to
/// `out`, in order; returns their number. `out` has room for all of them. Equal for each `level`.
std::size_t select_near(std::uint64_t signature, std::span<const Signature<1>> others,
                        unsigned distance, std::uint64_t* out, SimdLevel level);

}  // namespace twinset

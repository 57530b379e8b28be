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

/// The largest bucket of which near_in_buckets() compares every two; larger ones it steps over.
inline constexpr std::size_t small_bucket = 64;
inline constexpr std::size_t most_pairs_of_bucket = small_bucket * (small_bucket - 1) / 2;

/// Writes the pairs that are in one bucket and differ in at most `distance` bits to `out`, in
/// order; returns their number. Bucket i has the signatures from ends[i - 1], or 0, to ends[i].
/// Begins with bucket `next`, and ends before one for which `out` may have no room, with `next`
/// there. `out` has room for most_pairs_of_bucket at least. Equal for each `level`.
std::size_t near_in_buckets(std::span<const Signature<1>> signatures,
                            std::span<const std::uint32_t> ends, unsigned distance,
                            std::span<PlacePair> out, std::size_t& next, SimdLevel level);

/// Writes the places of the signatures that differ from `signature` in at most `distance` bits to
/// `out`, in order; returns their number. `out` has room for all of them. Equal for each `level`.
std::size_t select_near(std::uint64_t signature, std::span<const Signature<1>> others,
                        unsigned distance, std::uint64_t* out, SimdLevel level);

}  // namespace twinset

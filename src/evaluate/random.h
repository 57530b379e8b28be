// Seeded randomness that is the same on every machine: planted edits, samples
// and synthetic collections are pure functions of their seeds.
//
//   SeededRandom random(derive_seed(seed, document, copy));
//   std::uint64_t word = random.below(words);
//
// The standard library's distributions are not used: they differ between
// implementations. The generator is a counter through mix64 (splitmix style).
//
// Threads: a SeededRandom belongs to one thread; derive_seed is pure.
#pragma once

#include <cstdint>

#include "base/hash.h"

namespace twinset {

/// A seed for part (a, b) of the use of `seed`. Different parts get seeds that behave as
/// independent.
inline std::uint64_t derive_seed(std::uint64_t seed, std::uint64_t a, std::uint64_t b = 0) {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;
  std::uint64_t value = mix64(seed + golden);
  value = mix64(value ^ (a + golden));
  return mix64(value ^ (b * golden + 1));
}

class SeededRandom {
 public:
  explicit SeededRandom(std::uint64_t seed) : state_(seed) {}

  /// 64 uniform bits.
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    return mix64(state_);
  }

  /// Uniform in [0, bound); 0 for bound 0. The bias is below bound / 2^64.
  std::uint64_t below(std::uint64_t bound) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(next()) * bound) >> 64);
  }

  /// True with probability numerator / denominator.
  bool chance(std::uint64_t numerator, std::uint64_t denominator) {
    return below(denominator) < numerator;
  }

  /// Uniform in [0, 1), 53 bits.
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace twinset

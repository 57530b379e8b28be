// The signs of weighted sums: the last step of simhash (S section 3.4, Table 3.1).
//
//   SignatureSums sums(64, simd_level());
//   sums.add(features);
//   sums.signs();   // a bit is 1 if the features that have it weigh more than the others
//
// A feature adds its weight to the running sum of each bit that its hash has, and subtracts it from
// the others; the signature has the signs. A sum of zero gives 0. Only ratios of weights count, so
// dividing all of them by a document's length changes nothing (S section 5.2).
//
// Threads: values.
#pragma once

#include <array>
#include <cstdint>

#include "base/cpu.h"
#include "base/hash.h"
#include "scheme/features.h"
#include "scheme/kernels/bit_sums.h"

namespace twinset {

/// 64 or 128 bits; of 64 the second word is 0.
using SignatureWords = std::array<std::uint64_t, 2>;

/// A feature's hash beyond its first 64 bits.
inline std::uint64_t second_hash(std::uint64_t hash) { return mix64(hash ^ 0x9e3779b97f4a7c15ULL); }

/// The signs of the sums of features that weigh 1 each.
SignatureWords signs_of_unweighted(std::span<const std::uint64_t> hashes, unsigned bits,
                                   SimdLevel level);

class SignatureSums {
 public:
  /// bits: 64 or 128.
  SignatureSums(unsigned bits, SimdLevel level) : bits_(bits), level_(level) {}

  /// Adds features. If one weighs 2^32 or more, all weights lose as many of their last bits as
  /// bring the largest below; call it once, so that all weights are on one scale.
  void add(const FeatureList& features);

  /// Adds one more feature, heavier by 1 than the `count`-th least running sum: it decides that
  /// many bits, and more only where sums are equal. Range: 1 <= count <= bits().
  void decide_weakest(std::uint64_t hash, unsigned count);

  bool sign(unsigned bit) const { return sum(bit) > total_ - sum(bit); }
  /// The running sum of a bit, without its sign.
  std::uint64_t magnitude(unsigned bit) const {
    const std::uint64_t against = total_ - sum(bit);
    return sum(bit) > against ? sum(bit) - against : against - sum(bit);
  }
  SignatureWords signs() const;

 private:
  void add(std::uint64_t hash, std::uint64_t weight);
  std::uint64_t sum(unsigned bit) const { return sums_[bit / 64][bit % 64]; }

  unsigned bits_;
  SimdLevel level_;
  /// Of the features that have a bit.
  std::array<BitSums, 2> sums_{};
  std::uint64_t total_ = 0;
};

}  // namespace twinset

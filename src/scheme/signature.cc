// This file's interface is scheme/signature.h.
#include "scheme/signature.h"

#include <bit>
#include <vector>

namespace twinset {
namespace {

std::vector<std::uint64_t> second_hashes(std::span<const std::uint64_t> hashes) {
  std::vector<std::uint64_t> second(hashes.size());
  for (std::size_t i = 0; i < hashes.size(); ++i) second[i] = second_hash(hashes[i]);
  return second;
}

}  // namespace

Signature signs_of_unweighted(std::span<const std::uint64_t> hashes, unsigned bits,
                              SimdLevel level) {
  Signature signature{majority_bits(hashes, level)};
  if (bits > 64) signature[1] = majority_bits(second_hashes(hashes), level);
  return signature;
}

void SignatureSums::add(const FeatureList& features) {
  constexpr int most_bits = 32;  // 2^32 features of 32 bits sum to 64
  const int width = static_cast<int>(std::bit_width(features.largest_weight()));
  const int shift = width > most_bits ? width - most_bits : 0;
  std::vector<std::uint32_t> weights(features.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = static_cast<std::uint32_t>(features.weights[i] >> shift);
    total_ += weights[i];
  }
  add_bit_sums(features.hashes, weights, sums_[0], level_);
  if (bits_ > 64) add_bit_sums(second_hashes(features.hashes), weights, sums_[1], level_);
}

Signature SignatureSums::signs() const {
  Signature signature{};
  for (unsigned bit = 0; bit < bits_; ++bit) {
    signature[bit / 64] |= std::uint64_t{sign(bit)} << bit % 64;
  }
  return signature;
}

}  // namespace twinset

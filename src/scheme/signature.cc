// This file's interface is scheme/signature.h.
#include "scheme/signature.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <vector>

namespace twinset {
namespace {

std::vector<std::uint64_t> second_hashes(std::span<const std::uint64_t> hashes) {
  std::vector<std::uint64_t> second(hashes.size());
  for (std::size_t i = 0; i < hashes.size(); ++i) second[i] = second_hash(hashes[i]);
  return second;
}

}  // namespace

SignatureWords signs_of_unweighted(std::span<const std::uint64_t> hashes, unsigned bits,
                                   SimdLevel level) {
  SignatureWords signature{majority_bits(hashes, level)};
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

void SignatureSums::add(std::uint64_t hash, std::uint64_t weight) {
  const SignatureWords words{hash, second_hash(hash)};
  for (unsigned bit = 0; bit < bits_; ++bit) {
    sums_[bit / 64][bit % 64] += (words[bit / 64] >> bit % 64 & 1) * weight;
  }
  total_ += weight;
}

void SignatureSums::decide_weakest(std::uint64_t hash, unsigned count) {
  assert(count >= 1 && count <= bits_);
  std::vector<std::uint64_t> magnitudes;
  for (unsigned bit = 0; bit < bits_; ++bit) magnitudes.push_back(magnitude(bit));
  std::ranges::nth_element(magnitudes, magnitudes.begin() + (count - 1));
  add(hash, magnitudes[count - 1] + 1);
}

SignatureWords SignatureSums::signs() const {
  SignatureWords signature{};
  for (unsigned bit = 0; bit < bits_; ++bit) {
    signature[bit / 64] |= std::uint64_t{sign(bit)} << bit % 64;
  }
  return signature;
}

}  // namespace twinset

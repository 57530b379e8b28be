// The features of a document and their weights, and the cuts that choose among them (S section 5.1
// and 7.1.2). Weights are integers: the order of sums never matters, and no CPU rounds differently.
//
//   FeatureList features = join_repeats(hashes, {}, Repeats::add);   // each once, with its count
//   clip_top(features, 5);                                // none above the fifth
//   keep_between(features, Ratio(1, 100), Ratio(1, 1));   // at least 1 % of the largest
//
// Threads: pure functions, except for their outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "twinset/ratio.h"

namespace twinset {

/// Each feature once, with its weight. Their order means nothing.
struct FeatureList {
  std::vector<std::uint64_t> hashes;
  std::vector<std::uint64_t> weights;

  std::size_t size() const { return hashes.size(); }
  void add(std::uint64_t hash, std::uint64_t weight) {
    hashes.push_back(hash);
    weights.push_back(weight);
  }
  /// 0 if there is no feature.
  std::uint64_t largest_weight() const;
};

/// a * b, or 2^64 - 1 if that is larger.
std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b);

/// The weight of a feature that occurs several times.
enum class Repeats : std::uint8_t {
  add,     ///< the sum of its occurrences' weights, at most 2^64 - 1
  largest  ///< the largest of them
};

/// Makes one feature of its occurrences; without weights each occurrence has 1. A feature that
/// weighs 0 is left out. O(occurrences); hashes that are not random take a sort.
FeatureList join_repeats(std::span<const std::uint64_t> hashes,
                         std::span<const std::uint64_t> weights, Repeats repeats);

/// Lowers the weights above the one of that rank, the largest being 1, to it. With fewer features
/// nothing changes. Range: rank >= 1.
void clip_top(FeatureList& features, std::size_t rank);

/// Keeps the features that weigh from `least` to `most` of the largest weight, and not nothing.
void keep_between(FeatureList& features, const Ratio& least, const Ratio& most);

/// The places of the `count` heaviest, in this order; of equal ones those of smaller hashes first.
std::vector<std::size_t> heaviest(const FeatureList& features, std::size_t count);

/// Keeps the `count` heaviest; of equal ones those of smaller hashes.
void keep_top(FeatureList& features, std::size_t count);

}  // namespace twinset

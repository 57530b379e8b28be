// This file's interface is scheme/features.h.
#include "scheme/features.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <functional>
#include <numeric>
#include <utility>

namespace twinset {
namespace {

void take_repeat(Repeats repeats, std::uint64_t weight, std::uint64_t& joined) {
  if (repeats == Repeats::largest) {
    joined = std::max(joined, weight);
  } else {
    joined = joined > UINT64_MAX - weight ? UINT64_MAX : joined + weight;
  }
}

/// join_repeats() by sorting, whatever the hashes.
FeatureList join_sorted(std::span<const std::uint64_t> hashes,
                        std::span<const std::uint64_t> weights, Repeats repeats) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> sorted;
  sorted.reserve(hashes.size());
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    if (weights.empty() || weights[i] != 0) {
      sorted.emplace_back(hashes[i], weights.empty() ? 1 : weights[i]);
    }
  }
  std::sort(sorted.begin(), sorted.end());
  FeatureList features;
  for (const auto& [hash, weight] : sorted) {
    if (features.size() == 0 || features.hashes.back() != hash) {
      features.add(hash, weight);
    } else {
      take_repeat(repeats, weight, features.weights.back());
    }
  }
  return features;
}

/// Keeps the features for which `keep(i)`, in order.
template <class Keep>
void keep_if(FeatureList& features, Keep keep) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (!keep(i)) continue;
    features.hashes[kept] = features.hashes[i];
    features.weights[kept] = features.weights[i];
    ++kept;
  }
  features.hashes.resize(kept);
  features.weights.resize(kept);
}

}  // namespace

std::uint64_t FeatureList::largest_weight() const {
  return weights.empty() ? 0 : *std::max_element(weights.begin(), weights.end());
}

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return product > UINT64_MAX ? UINT64_MAX : static_cast<std::uint64_t>(product);
}

FeatureList join_repeats(std::span<const std::uint64_t> hashes,
                         std::span<const std::uint64_t> weights, Repeats repeats) {
  assert(weights.empty() || weights.size() == hashes.size());
  FeatureList features;
  features.hashes.reserve(hashes.size());
  features.weights.reserve(hashes.size());
  // Places in the list, plus 1, found by the high bits of a hash; at most half of the slots are
  // taken.
  const int slot_bits = std::max(4, static_cast<int>(std::bit_width(2 * hashes.size())));
  std::vector<std::uint32_t> slots(std::size_t{1} << slot_bits);
  const std::size_t mask = slots.size() - 1;
  // Of random hashes one takes about 1.5 steps; of hashes crafted to meet, too many.
  std::size_t steps_left = 64 + 16 * hashes.size();
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const std::uint64_t weight = weights.empty() ? 1 : weights[i];
    if (weight == 0) continue;
    auto slot = static_cast<std::size_t>(hashes[i] >> (64 - slot_bits));
    while (slots[slot] != 0 && features.hashes[slots[slot] - 1] != hashes[i]) {
      slot = (slot + 1) & mask;
      if (--steps_left == 0) return join_sorted(hashes, weights, repeats);
    }
    if (slots[slot] == 0) {
      features.add(hashes[i], weight);
      slots[slot] = static_cast<std::uint32_t>(features.size());
    } else {
      take_repeat(repeats, weight, features.weights[slots[slot] - 1]);
    }
  }
  return features;
}

void clip_top(FeatureList& features, std::size_t rank) {
  assert(rank >= 1);
  if (rank > features.size()) return;
  std::vector<std::uint64_t> ranked = features.weights;
  const auto place = ranked.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::nth_element(ranked.begin(), place, ranked.end(), std::greater<>());
  for (std::uint64_t& weight : features.weights) weight = std::min(weight, *place);
}

void keep_between(FeatureList& features, const Ratio& least, const Ratio& most) {
  using Wide = unsigned __int128;
  const Wide largest = features.largest_weight();
  keep_if(features, [&](std::size_t i) {
    const Wide weight = features.weights[i];
    return weight != 0 && weight * least.denominator() >= largest * least.numerator() &&
           weight * most.denominator() <= largest * most.numerator();
  });
}

std::vector<std::size_t> heaviest(const FeatureList& features, std::size_t count) {
  std::vector<std::size_t> ranked(features.size());
  std::iota(ranked.begin(), ranked.end(), std::size_t{0});
  count = std::min(count, ranked.size());
  const auto end = ranked.begin() + static_cast<std::ptrdiff_t>(count);
  std::partial_sort(ranked.begin(), end, ranked.end(), [&](std::size_t a, std::size_t b) {
    return features.weights[a] != features.weights[b] ? features.weights[a] > features.weights[b]
                                                      : features.hashes[a] < features.hashes[b];
  });
  ranked.resize(count);
  return ranked;
}

void keep_top(FeatureList& features, std::size_t count) {
  if (count >= features.size()) return;
  std::vector<char> kept(features.size());
  for (const std::size_t i : heaviest(features, count)) kept[i] = 1;
  keep_if(features, [&](std::size_t i) { return kept[i] != 0; });
}

}  // namespace twinset

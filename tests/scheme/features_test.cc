#include "scheme/features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "scheme/shingle_sets.h"

namespace twinset {
namespace {

using Weights = std::map<std::uint64_t, std::uint64_t>;

Weights weights_of(const FeatureList& features) {
  Weights weights;
  for (std::size_t i = 0; i < features.size(); ++i) {
    EXPECT_TRUE(weights.emplace(features.hashes[i], features.weights[i]).second);
  }
  return weights;
}

FeatureList list_of(const Weights& weights) {
  FeatureList features;
  for (const auto& [hash, weight] : weights) features.add(hash, weight);
  return features;
}

TEST(Features, RepeatsAddUp) {
  const std::vector<std::uint64_t> hashes{7, 8, 7, 9, 7, 8};
  EXPECT_EQ(weights_of(join_repeats(hashes, {}, Repeats::add)), (Weights{{7, 3}, {8, 2}, {9, 1}}));
  const std::vector<std::uint64_t> weights{1, 20, 300, 0, 5, UINT64_MAX};
  EXPECT_EQ(weights_of(join_repeats(hashes, weights, Repeats::add)),
            (Weights{{7, 306}, {8, UINT64_MAX}}));
  EXPECT_EQ(weights_of(join_repeats(hashes, {}, Repeats::largest)),
            (Weights{{7, 1}, {8, 1}, {9, 1}}));
  EXPECT_EQ(weights_of(join_repeats(hashes, weights, Repeats::largest)),
            (Weights{{7, 300}, {8, UINT64_MAX}}));
  EXPECT_EQ(join_repeats({}, {}, Repeats::add).size(), 0U);
  EXPECT_EQ(join_repeats({}, {}, Repeats::add).largest_weight(), 0U);
}

// Hashes that all meet in one slot of the table are summed all the same, in the time of a sort:
// a table alone would take hours for these.
TEST(Features, CraftedHashesTakeASort) {
  for (const std::size_t size : {1000, 400000}) {
    std::vector<std::uint64_t> hashes;
    std::vector<std::uint64_t> weights;
    Weights sums;
    Weights largest;
    for (std::size_t i = 0; i < size; ++i) {
      hashes.push_back(i % (size / 2));
      weights.push_back(i % 3);
      if (i % 3 == 0) continue;
      sums[hashes.back()] += i % 3;
      largest[hashes.back()] = std::max(largest[hashes.back()], i % 3);
    }
    EXPECT_TRUE(weights_of(join_repeats(hashes, weights, Repeats::add)) == sums);
    EXPECT_TRUE(weights_of(join_repeats(hashes, weights, Repeats::largest)) == largest);
  }
}

TEST(Features, RandomListsAddUp) {
  std::mt19937_64 random(1);
  for (std::size_t size = 0; size < 300; ++size) {
    std::vector<std::uint64_t> hashes;
    Weights expected;
    for (std::size_t i = 0; i < size; ++i) {
      hashes.push_back(mix64(random() % (1 + size / 2)));
      ++expected[hashes.back()];
    }
    ASSERT_EQ(weights_of(join_repeats(hashes, {}, Repeats::add)), expected);
  }
}

// S-15: "it was common for the top one or two features to have weights which were much larger (by
// a factor of 10) than even the fifth".
TEST(Features, TopWeightsAreClipped) {
  const Weights weights{{1, 100}, {2, 90}, {3, 9}, {4, 8}, {5, 7}, {6, 1}};
  FeatureList features = list_of(weights);
  clip_top(features, 3);
  EXPECT_EQ(weights_of(features), (Weights{{1, 9}, {2, 9}, {3, 9}, {4, 8}, {5, 7}, {6, 1}}));
  features = list_of(weights);
  clip_top(features, 1);
  EXPECT_EQ(weights_of(features), weights);
  clip_top(features, 6);
  EXPECT_EQ(weights_of(features), (Weights{{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}}));
  features = list_of(weights);
  clip_top(features, 7);
  EXPECT_EQ(weights_of(features), weights);
}

// S-10, S-11: at the threshold a feature stays.
TEST(Features, ThresholdsAreSharesOfTheLargestWeight) {
  const Weights weights{{1, 1000}, {2, 500}, {3, 499}, {4, 10}, {5, 9}};
  FeatureList features = list_of(weights);
  keep_between(features, Ratio(1, 100), Ratio(1, 1));
  EXPECT_EQ(weights_of(features), (Weights{{1, 1000}, {2, 500}, {3, 499}, {4, 10}}));
  keep_between(features, Ratio(1, 2), Ratio(1, 1));
  EXPECT_EQ(weights_of(features), (Weights{{1, 1000}, {2, 500}}));
}

TEST(Features, NothingIsNoWeight) {
  FeatureList features = list_of({{1, 0}, {2, 3}, {3, 0}});
  keep_between(features, Ratio(0, 1), Ratio(1, 1));
  EXPECT_EQ(weights_of(features), (Weights{{2, 3}}));
}

// S-15: the middle region.
TEST(Features, TheMiddleRegionHasTwoBounds) {
  FeatureList features = list_of({{1, 1000}, {2, 501}, {3, 500}, {4, 10}, {5, 9}});
  keep_between(features, Ratio(1, 100), Ratio(1, 2));
  EXPECT_EQ(weights_of(features), (Weights{{3, 500}, {4, 10}}));
}

TEST(Features, LargeWeightsAreComparedExactly) {
  FeatureList features = list_of({{1, UINT64_MAX}, {2, UINT64_MAX / 3}, {3, UINT64_MAX / 3 - 1}});
  keep_between(features, Ratio(1, 3), Ratio(1, 1));
  EXPECT_EQ(weights_of(features), (Weights{{1, UINT64_MAX}, {2, UINT64_MAX / 3}}));
  EXPECT_EQ(saturating_product(UINT64_MAX / 3, 3), UINT64_MAX / 3 * 3);
  EXPECT_EQ(saturating_product(UINT64_MAX / 3 + 1, 3), UINT64_MAX);
}

TEST(Features, TheHeaviestAreKeptAndOfEqualOnesThoseOfSmallHashes) {
  const Weights weights{{4, 5}, {3, 5}, {2, 5}, {1, 4}, {5, 6}};
  for (const auto& [count, kept] : std::map<std::size_t, Weights>{
           {0, {}}, {1, {{5, 6}}}, {3, {{5, 6}, {2, 5}, {3, 5}}}, {5, weights}, {6, weights}}) {
    FeatureList features = list_of(weights);
    keep_top(features, count);
    EXPECT_EQ(weights_of(features), kept) << count;
  }
}

}  // namespace
}  // namespace twinset

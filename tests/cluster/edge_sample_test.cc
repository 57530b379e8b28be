// Samples of edges, and the shares estimated from them, against the truth.
#include "cluster/edge_sample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <utility>

#include "evaluate/random.h"

namespace twinset {
namespace {

const PairFloor half{Ratio(1, 2), {}};

TEST(EdgeSample, TakesEdgesOnlyAndAllOfFew) {
  EdgeSample sample(half, 1);
  sample.add({2, 1, {1, 2, 2}});    // 1/3
  sample.add({5, 3, {9, 10, 10}});  // 9/11
  sample.add({4, 3, {2, 3, 3}});    // 2/4
  ASSERT_EQ(sample.edges().size(), 2U);
  EXPECT_EQ(sample.edges()[0].a, 4U);
  EXPECT_EQ(sample.edges()[1].a, 5U);
}

// All edges are equally likely, in any order of adding: a sample of 500 from 5,000 edges, 300 of
// them of one kind, has 30 of that kind, with a standard deviation of 5.0.
TEST(EdgeSample, IsByChanceAndOfTheSeedAlone) {
  const auto draw = [](bool backward, std::uint64_t seed) {
    EdgeSample sample(half, seed);
    for (std::uint32_t i = 1; i <= 5000; ++i) {
      const std::uint32_t a = backward ? 5001 - i : i;
      sample.add({a, 0, {9, 10, 10}});
    }
    std::set<std::uint32_t> drawn;
    for (const SharedPair& pair : sample.edges()) drawn.insert(pair.a);
    return drawn;
  };
  const std::set<std::uint32_t> drawn = draw(false, 1);
  EXPECT_EQ(drawn.size(), EdgeSample::most_edges);
  EXPECT_EQ(drawn, draw(true, 1));
  EXPECT_NE(drawn, draw(false, 2));
  const auto of_kind = std::distance(drawn.begin(), drawn.upper_bound(300));
  EXPECT_NEAR(static_cast<double>(of_kind), 30, 6 * 5.0);
}

TEST(CheckedEdges, HasNoWidthOnlyWhereAllWereChecked) {
  const CheckedEdges all = checked_edges(200, 200, 190);
  EXPECT_EQ(all.wrong, 10U);
  EXPECT_EQ(all.share.low, 0.05);
  EXPECT_EQ(all.share.high, 0.05);
  const CheckedEdges some = checked_edges(100'000, 500, 450);
  EXPECT_EQ(some.share.value, 0.1);
  EXPECT_LT(some.share.low, 0.08);
  EXPECT_GT(some.share.high, 0.12);
  EXPECT_GT(checked_edges(100'000, 500, 500).share.high, 0.005);
}

// Pairs with 3 to 60 shared shingles, one shingle in 16 being a key: those that share a key give an
// estimate of the others. 200 rounds: the probability that fewer than 165 of the 95 % intervals
// contain the truth is 10^-8.
TEST(UnseenPairs, TellsThoseThatShareNoKey) {
  int held = 0;
  double error = 0;
  for (std::uint64_t round = 0; round < 200; ++round) {
    SeededRandom random(round);
    UnseenPairs seen(1.0 / 16);
    double pairs = 0;
    double unseen = 0;
    for (std::uint32_t pair = 0; pair < 1500; ++pair) {
      const auto shared = static_cast<std::uint32_t>(3 + random.below(58));
      bool found = false;
      for (std::uint32_t i = 0; i < shared; ++i) found = found || random.chance(1, 16);
      ++pairs;
      unseen += found ? 0 : 1;
      if (found) seen.add({pair + 1, pair, {shared, shared, shared}}, pair);
    }
    const std::optional<Interval> share = seen.share();
    ASSERT_TRUE(share.has_value());
    held += share->low <= unseen / pairs && unseen / pairs <= share->high ? 1 : 0;
    error += share->value - unseen / pairs;
  }
  EXPECT_GE(held, 165);
  EXPECT_LT(std::abs(error / 200), 0.01);
}

// A template whose texts are all alike has most pairs: its own chance decides, not the law of large
// numbers.
TEST(UnseenPairs, AreNotPredictableIfOneFamilyHasMost) {
  UnseenPairs seen(1.0 / 16);
  for (std::uint32_t pair = 0; pair < 200; ++pair) seen.add({pair + 1, pair, {20, 20, 20}}, pair);
  ASSERT_TRUE(seen.share().has_value());
  EXPECT_GT(seen.share()->high, seen.share()->value);
  for (std::uint32_t pair = 0; pair < 100; ++pair) seen.add({1000, pair, {20, 20, 20}}, 1000);
  EXPECT_FALSE(seen.share().has_value());
}

TEST(UnseenPairs, NothingIsUnseenWhereEveryShingleIsAKey) {
  UnseenPairs seen(1);
  EXPECT_FALSE(seen.share().has_value());
  seen.add({1, 0, {1, 1, 1}}, 0);
  ASSERT_TRUE(seen.share().has_value());
  EXPECT_EQ(seen.share()->value, 0);
  EXPECT_EQ(seen.share()->high, 0);
}

}  // namespace
}  // namespace twinset

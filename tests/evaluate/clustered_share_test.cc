#include "evaluate/clustered_share.h"

#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "evaluate/random.h"
#include "evaluate/trial_for_tests.h"

namespace twinset {
namespace {

Interval clustered_interval(std::span<const Tally> clusters, std::uint64_t seed) {
  const auto share = clustered_share(clusters, seed, {});
  EXPECT_TRUE(share.ok());
  return {share.value().value(), share.value().low, share.value().high};
}

TEST(ShareOf, HasTheIntervalOfItsTally) {
  const Share share = share_of({97, 100});
  EXPECT_EQ(share.count, 97U);
  EXPECT_EQ(share.of, 100U);
  EXPECT_EQ(share.low, (Tally{97, 100}.interval().low));
  EXPECT_EQ(share.high, (Tally{97, 100}.interval().high));
}

TEST(ClusteredInterval, IsWilsonsWhereClustersAreSinglePairs) {
  std::vector<Tally> pairs;
  for (int i = 0; i < 400; ++i) pairs.push_back({i % 5 == 0 ? 0u : 1u, 1});
  const Interval interval = clustered_interval(pairs, 1);
  const Interval wilson = Tally{320, 400}.interval();
  EXPECT_NEAR(interval.low, wilson.low, 0.01);
  EXPECT_NEAR(interval.high, wilson.high, 0.01);
  EXPECT_LE(interval.low, wilson.low);
  EXPECT_GE(interval.high, wilson.high);
}

TEST(ClusteredInterval, IsWiderWhereClustersGoTogether) {
  std::vector<Tally> clusters;
  for (int i = 0; i < 40; ++i) clusters.push_back({i % 5 == 0 ? 0u : 100u, 100});
  const Interval interval = clustered_interval(clusters, 1);
  const Interval wilson = Tally{3200, 4000}.interval();
  EXPECT_LT(interval.low, wilson.low - 0.05);
  EXPECT_GT(interval.high, wilson.high + 0.05);
  EXPECT_LE(interval.high, 1);
}

// Three pairs of one cluster found together are one observation, not three.
TEST(ClusteredInterval, CountsClustersWhereAllOrNoneWereFound) {
  const std::vector<Tally> all(20, Tally{3, 3});
  EXPECT_EQ(clustered_interval(all, 1).low, (Tally{20, 20}).interval().low);
  EXPECT_EQ(clustered_interval(all, 1).high, 1);
  const std::vector<Tally> missed(20, Tally{0, 3});
  EXPECT_EQ(clustered_interval(missed, 1).high, (Tally{0, 20}).interval().high);
  EXPECT_EQ(clustered_interval(missed, 1).low, 0);
  const std::vector<Tally> one(1, Tally{500, 500});
  EXPECT_LT(clustered_interval(one, 1).low, 0.25);
  const Interval none = clustered_interval(std::vector<Tally>{{0, 0}}, 1);
  EXPECT_EQ(none.low, 0);
  EXPECT_EQ(none.high, 1);
}

// One method finds all due pairs that another finds, and more: its bounds are never the lower ones.
// One that missed nothing had .937, one that missed 16 pairs .956.
TEST(ClusteredInterval, ASupersetNeverHasTheLowerBound) {
  SeededRandom random(11);
  for (int round = 0; round < 300; ++round) {
    std::vector<Tally> fewer;
    std::vector<Tally> more;
    const std::uint64_t clusters = 1 + random.below(80);
    const std::uint64_t misses = random.below(6);
    for (std::uint64_t i = 0; i < clusters; ++i) {
      const std::uint64_t due = random.chance(1, 8) ? 1 + random.below(300) : 1 + random.below(3);
      const std::uint64_t found = due - std::min(due, random.below(misses + 1));
      fewer.push_back({found, due});
      more.push_back({round % 3 == 0 ? due : found + random.below(due - found + 1), due});
    }
    const Interval of_fewer = clustered_interval(fewer, 5);
    const Interval of_more = clustered_interval(more, 5);
    ASSERT_GE(of_more.low, of_fewer.low) << round;
    ASSERT_GE(of_more.high, of_fewer.high) << round;
  }
  std::vector<Tally> all(57, Tally{18, 18});
  std::vector<Tally> all_but_16 = all;
  for (int i = 0; i < 16; ++i) --all_but_16[static_cast<std::size_t>(i)].count;
  EXPECT_LT(clustered_interval(all_but_16, 1).low, clustered_interval(all, 1).low);
}

TEST(ClusteredInterval, IsFixedByTheSeed) {
  std::vector<Tally> clusters;
  for (unsigned i = 0; i < 30; ++i) clusters.push_back({i % 4, 4});
  EXPECT_EQ(clustered_interval(clusters, 7).low, clustered_interval(clusters, 7).low);
  std::vector<Tally> padded = clusters;
  padded.push_back({0, 0});
  EXPECT_EQ(clustered_interval(padded, 7).high, clustered_interval(clusters, 7).high);
}

TEST(ClusterTallies, AddUpByCluster) {
  ClusterTallies counts;
  std::vector<Tally> clusters = {{1, 3}, {2, 2}};
  for (const bool counted : {true, false, false}) counts.add(7, counted);
  for (const bool counted : {true, true}) counts.add(9, counted);
  const auto share = counts.share(5, {});
  ASSERT_TRUE(share.ok());
  EXPECT_EQ(tally(share.value()), (Tally{3, 5}));
  EXPECT_EQ(share.value().low, clustered_interval(clusters, 5).low);
  EXPECT_FALSE(ClusterTallies().share(5, {}).value().known());
}

TEST(ClusteredShare, StopsWhenAsked) {
  int asked = 0;
  const std::vector<Tally> clusters(10, Tally{1, 2});
  const auto stopped = clustered_share(clusters, 1, [&] {
    return ++asked == 3 ? Status(Error{ErrorCode::interrupted, "stop"}) : Status();
  });
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
  EXPECT_EQ(asked, 3);
}

// Clusters of five pairs, all found or none, with chance 0.8: the interval holds 0.8
// in about 95 % of samples. 1,000 rounds: Hoeffding at 1e-8 allows 0.098 below that.
TEST(ClusteredInterval, HoldsTheTruthAsOftenAsItSays) {
  SeededRandom random(9);
  constexpr int rounds = 1'000;
  int held = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<Tally> clusters;
    for (int i = 0; i < 60; ++i) clusters.push_back({random.chance(4, 5) ? 5u : 0u, 5});
    const Interval interval = clustered_interval(clusters, static_cast<std::uint64_t>(round));
    held += interval.low <= 0.8 && 0.8 <= interval.high ? 1 : 0;
  }
  EXPECT_GE(static_cast<double>(held) / rounds, 0.95 - 0.098);
}

}  // namespace
}  // namespace twinset

#include "scheme/estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace twinset {
namespace {

// The published example of Newcombe, Statistics in Medicine 17 (1998): 81 of 263.
TEST(WilsonInterval, MatchesAPublishedExample) {
  const Interval interval = wilson_interval(81, 263);
  EXPECT_NEAR(interval.low, 0.2553, 5e-5);
  EXPECT_NEAR(interval.high, 0.3662, 5e-5);
  const Interval small = wilson_interval(0, 20);
  EXPECT_NEAR(small.low, 0, 1e-12);
  EXPECT_NEAR(small.high, 0.1611, 5e-5);
}

TEST(WilsonInterval, IsAllThereIsWithoutASample) {
  EXPECT_EQ(wilson_interval(0, 0).low, 0);
  EXPECT_EQ(wilson_interval(0, 0).high, 1);
}

// B-10: few samples. Coverage of one share and size wanders by the steps of the
// binomial; over shares it is the promised 95 %.
TEST(WilsonInterval, HoldsTheTruthInNineteenOfTwenty) {
  std::mt19937_64 random(7);
  for (const int trials : {4, 10, 25, 100}) {
    int covered = 0;
    constexpr int runs = 40000;
    for (int run = 0; run < runs; ++run) {
      const double share = std::uniform_real_distribution(0.0, 1.0)(random);
      const int hits = std::binomial_distribution(trials, share)(random);
      const Interval interval = wilson_interval(hits, trials);
      covered += interval.low <= share && share <= interval.high ? 1 : 0;
    }
    EXPECT_NEAR(covered / static_cast<double>(runs), 0.95, 0.012) << trials;
  }
}

TEST(EstimateShare, ValueErrorAndInterval) {
  const Estimate estimate = estimate_share(200, 256, 0);
  EXPECT_DOUBLE_EQ(estimate.value, 200 / 256.0);
  EXPECT_NEAR(estimate.standard_error, std::sqrt(0.78125 * 0.21875 / 256), 2e-4);
  EXPECT_LT(estimate.low, estimate.value);
  EXPECT_GT(estimate.high, estimate.value);
}

TEST(EstimateShare, NoSampleIsWithoutError) {
  for (const std::uint64_t hits : {0U, 10U}) {
    const Estimate estimate = estimate_share(hits, 10, 0);
    EXPECT_GT(estimate.standard_error, 0.05);
    EXPECT_GT(estimate.high - estimate.low, 0.2);
  }
}

TEST(EstimateShare, AllThereIsIsExact) {
  const Estimate estimate = estimate_share(3, 7, 1);
  EXPECT_DOUBLE_EQ(estimate.value, 3 / 7.0);
  EXPECT_EQ(estimate.standard_error, 0);
  EXPECT_EQ(estimate.low, estimate.value);
  EXPECT_EQ(estimate.high, estimate.value);
}

TEST(EstimateShare, ALargerPartOfThePopulationKnowsMore) {
  EXPECT_LT(estimate_share(5, 10, 0.5).standard_error, estimate_share(5, 10, 0.1).standard_error);
  EXPECT_LT(estimate_share(5, 10, 0.5).high, estimate_share(5, 10, 0.1).high);
}

// 2^b, not 2 b.
TEST(EstimateMatchingBits, TakesChanceAgreementOff) {
  EXPECT_NEAR(estimate_matching_bits(128, 256, 1).value, 0, 1e-12);
  EXPECT_NEAR(estimate_matching_bits(64, 256, 2).value, 0, 1e-12);
  EXPECT_NEAR(estimate_matching_bits(16, 256, 4).value, 0, 1e-12);
  EXPECT_NEAR(estimate_matching_bits(1, 256, 8).value, 0, 1e-12);
  for (const unsigned bits : {1U, 2U, 4U, 8U}) {
    EXPECT_DOUBLE_EQ(estimate_matching_bits(256, 256, bits).value, 1);
    EXPECT_EQ(estimate_matching_bits(0, 256, bits).value, 0);
    EXPECT_GT(estimate_matching_bits(256, 256, bits).standard_error, 0);
    const double chance = std::exp2(-static_cast<double>(bits));
    EXPECT_NEAR(estimate_matching_bits(220, 256, bits).value, (220 / 256.0 - chance) / (1 - chance),
                1e-12);
  }
  EXPECT_GT(estimate_matching_bits(200, 256, 1).standard_error,
            1.9 * estimate_matching_bits(200, 256, 8).standard_error);
}

}  // namespace
}  // namespace twinset

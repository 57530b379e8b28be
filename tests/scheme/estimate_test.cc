#include "scheme/estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

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

// The same example of Newcombe, by his method 5.
TEST(ExactInterval, MatchesPublishedExamples) {
  const Interval interval = exact_interval(81, 263);
  EXPECT_NEAR(interval.low, 0.2527, 5e-5);
  EXPECT_NEAR(interval.high, 0.3676, 5e-5);
  const Interval none = exact_interval(0, 20);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.1684, 5e-5);
  EXPECT_NEAR(exact_interval(1, 29).low, 0.0009, 5e-5);
  EXPECT_NEAR(exact_interval(1, 29).high, 0.1776, 5e-5);
  const Interval all = exact_interval(73, 73);
  EXPECT_NEAR(all.low, std::pow(0.025, 1.0 / 73), 1e-12);
  EXPECT_EQ(all.high, 1);
  EXPECT_EQ(exact_interval(0, 0).low, 0);
  EXPECT_EQ(exact_interval(0, 0).high, 1);
}

// For every share, not on average over shares: the chances of the outcomes whose interval holds the
// share are added up, so nothing is drawn.
TEST(ExactInterval, HoldsEveryShareInNineteenOfTwenty) {
  for (const unsigned trials : {5U, 40U, 300U}) {
    std::vector<Interval> intervals;
    for (unsigned hits = 0; hits <= trials; ++hits) {
      intervals.push_back(exact_interval(hits, trials));
    }
    for (double share = 0.005; share < 1; share += 0.005) {
      double covered = 0;
      for (unsigned hits = 0; hits <= trials; ++hits) {
        if (share < intervals[hits].low || intervals[hits].high < share) continue;
        covered += std::exp(std::lgamma(trials + 1.0) - std::lgamma(hits + 1.0) -
                            std::lgamma(trials - hits + 1.0) + hits * std::log(share) +
                            (trials - hits) * std::log1p(-share));
      }
      EXPECT_GE(covered, 0.95 - 1e-9) << trials << " " << share;
    }
  }
}

TEST(ExactInterval, LargeSamplesHaveTheSameEndsAsWilsons) {
  for (const std::uint64_t hits : {10'000U, 500'000U, 999'000U}) {
    const Interval exact = exact_interval(hits, 1'000'000);
    const Interval wilson = wilson_interval(static_cast<double>(hits), 1e6);
    EXPECT_NEAR(exact.low, wilson.low, 1e-5);
    EXPECT_NEAR(exact.high, wilson.high, 1e-5);
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

// Millionths of the resemblance are all that is kept of an estimate; they tell the rest.
TEST(EstimateAgain, OfAKeptResemblanceIsTheWholeOne) {
  for (const unsigned bits : {0U, 1U, 4U, 8U}) {
    for (const std::uint64_t values : {16U, 128U, 512U, 1024U}) {
      const SketchFacts facts{.compared_values = values, .value_bits = bits};
      for (std::uint64_t equal = 0; equal <= values; ++equal) {
        const Estimate whole = estimate_equal_values(equal, facts);
        if (whole.value == 0) continue;  // Several numbers of equal values give it.
        const double kept = std::floor(whole.value * 1e6) / 1e6;
        const std::optional<Estimate> again = estimate_again(kept, facts);
        ASSERT_TRUE(again.has_value());
        ASSERT_EQ(again->low, whole.low) << equal << " of " << values << ", bits " << bits;
        ASSERT_EQ(again->high, whole.high);
        ASSERT_EQ(again->standard_error, whole.standard_error);
      }
    }
  }
  EXPECT_FALSE(estimate_again(0.5, {}).has_value());
}

}  // namespace
}  // namespace twinset

#include "detect/share_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace twinset {
namespace {

TEST(ShareSums, UnitsAreRoundedDown) {
  EXPECT_EQ(share_units(0, 0), 0U);
  EXPECT_EQ(share_units(0, 5), 0U);
  EXPECT_EQ(share_units(5, 5), whole_share);
  EXPECT_EQ(share_units(1, 2), whole_share / 2);
  EXPECT_EQ(share_units(1, 3), whole_share / 3);
  EXPECT_EQ(share_units(UINT64_MAX, UINT64_MAX), whole_share);
  EXPECT_EQ(share_of_units(whole_share), 1);
}

TEST(ShareSums, EqualSharesHaveNoDeviation) {
  for (const std::uint64_t whole : {3ULL, 7ULL, 1'000'003ULL}) {
    ShareSums sums;
    sums.add(share_units(1, whole), 999'999'937);
    EXPECT_EQ(sums.mean(), share_of_units(share_units(1, whole)));
    EXPECT_EQ(sums.deviation(), 0);
  }
}

TEST(ShareSums, MeanAndDeviationAreThoseOfDoubles) {
  std::mt19937_64 random(3);
  ShareSums sums;
  ShareSums first;
  ShareSums second;
  std::vector<double> shares;
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t whole = 1 + random() % 50;
    const std::uint64_t part = random() % (whole + 1);
    shares.push_back(static_cast<double>(part) / static_cast<double>(whole));
    sums.add(share_units(part, whole));
    (i % 3 == 0 ? first : second).add(share_units(part, whole));
  }
  double mean = 0;
  for (const double share : shares) mean += share / 10'000;
  double variance = 0;
  for (const double share : shares) variance += (share - mean) * (share - mean) / 10'000;
  EXPECT_NEAR(sums.mean(), mean, 1e-8);
  EXPECT_NEAR(sums.deviation(), std::sqrt(variance), 1e-8);
  // Parts in any order.
  second.add(first);
  EXPECT_EQ(second.mean(), sums.mean());
  EXPECT_EQ(second.deviation(), sums.deviation());
  EXPECT_EQ(second.by_twentieth(), sums.by_twentieth());
}

TEST(ShareSums, ManySharesDoNotOverflow) {
  ShareSums sums;
  sums.add(0, std::uint64_t{1} << 32);
  sums.add(whole_share, std::uint64_t{1} << 32);
  EXPECT_EQ(sums.mean(), 0.5);
  EXPECT_DOUBLE_EQ(sums.deviation(), 0.5);
  sums.add(0, std::uint64_t{1} << 40);
  sums.add(whole_share, std::uint64_t{1} << 40);
  EXPECT_EQ(sums.mean(), 0.5);
  EXPECT_DOUBLE_EQ(sums.deviation(), 0.5);
}

TEST(ShareSums, BarsAreTwentiethsAndAll) {
  ShareSums sums;
  EXPECT_EQ(sums.mean(), 0);
  EXPECT_EQ(sums.deviation(), 0);
  sums.add(0);
  sums.add(share_units(1, 20));
  sums.add(share_units(99, 100));
  sums.add(whole_share, 3);
  std::vector<std::uint64_t> expected(21);
  expected[0] = 1;
  expected[1] = 1;
  expected[19] = 1;
  expected[20] = 3;
  EXPECT_EQ(sums.by_twentieth(), expected);
}

TEST(ShareSums, AShareAtTheBeginOfATwentiethIsInIt) {
  for (const std::uint64_t whole : {20, 60, 140, 20'000'000}) {
    for (std::uint64_t bar = 0; bar <= 20; ++bar) {
      const std::uint64_t part = whole / 20 * bar;
      ShareSums sums;
      sums.add(share_units(part, whole));
      EXPECT_EQ(sums.by_twentieth()[bar], 1U) << part << " of " << whole;
      if (bar == 0) continue;
      sums.add(share_units(part - 1, whole));
      EXPECT_EQ(sums.by_twentieth()[bar - 1], 1U) << part - 1 << " of " << whole;
    }
  }
}

TEST(ShareSums, AStateIsTheSums) {
  ShareSums sums;
  for (std::uint64_t i = 0; i < 1000; ++i) sums.add(share_units(i, 999), UINT32_MAX);
  ShareSums again = ShareSums::of(sums.state());
  EXPECT_EQ(again.state(), sums.state());
  EXPECT_EQ(again.count(), sums.count());
  EXPECT_EQ(again.mean(), sums.mean());
  EXPECT_EQ(again.deviation(), sums.deviation());
  EXPECT_EQ(again.by_twentieth(), sums.by_twentieth());
  again.add(sums);
  EXPECT_EQ(again.mean(), sums.mean());
  EXPECT_EQ(ShareSums::of({}).count(), 0U);
}

}  // namespace
}  // namespace twinset

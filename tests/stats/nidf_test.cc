#include "stats/nidf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>

namespace twinset {
namespace {

std::pair<std::uint64_t, std::uint64_t> bounds(std::uint64_t documents, const Ratio& low,
                                               const Ratio& high) {
  const NidfWindow window = df_window(documents, low, high);
  return {window.least_df, window.most_df};
}

using Bounds = std::pair<std::uint64_t, std::uint64_t>;

// Papers 000 and 002: WT10G, and the SGML collection with its windows for web and for mail.
// I-03.
TEST(Nidf, TheWindowsOfThePapers) {
  EXPECT_EQ(bounds(1'679'076, Ratio(1, 5), Ratio(4, 5)), Bounds(18, 95'512));
  EXPECT_EQ(bounds(556'000, Ratio(1, 5), Ratio(4, 5)), Bounds(14, 39'451));
  EXPECT_EQ(bounds(556'000, Ratio(1, 5), Ratio(3, 10)), Bounds(10'509, 39'451));
}

TEST(Nidf, TheWholeWindowIsEveryDf) {
  for (const std::uint64_t documents : {2ULL, 3ULL, 1000ULL, 5'000'000'000ULL}) {
    EXPECT_EQ(bounds(documents, Ratio(0, 1), Ratio(1, 1)), Bounds(1, documents));
  }
}

TEST(Nidf, WholePowersAreExact) {
  EXPECT_EQ(nearest_power(100'000, Ratio(1, 5)), 10U);
  EXPECT_EQ(nearest_power(100'000, Ratio(4, 5)), 10'000U);
  EXPECT_EQ(nearest_power(std::uint64_t{1} << 60, Ratio(1, 2)), std::uint64_t{1} << 30);
  EXPECT_EQ(nearest_power(1, Ratio(1, 2)), 1U);
}

// Integer arithmetic against the mathematical library, where this can tell.
TEST(Nidf, IsTheNearestWholeNumber) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t n = 1 + (random() >> (20 + random() % 44));
    const auto whole = static_cast<std::uint32_t>(1 + random() % 1'000'000);
    const Ratio exponent(static_cast<std::uint32_t>(random() % (whole + 1)), whole);
    const long double power =
        std::pow(static_cast<long double>(n),
                 static_cast<long double>(exponent.numerator()) / exponent.denominator());
    const long double to_half = std::fabs(power - std::floor(power) - 0.5L);
    if (to_half < power * 1e-12L) continue;
    ASSERT_EQ(nearest_power(n, exponent), static_cast<std::uint64_t>(std::floor(power + 0.5L)))
        << n << " to " << exponent.text();
  }
}

TEST(Nidf, GoesFromNoneToOne) {
  EXPECT_EQ(nidf(1000, 1000), 0);
  EXPECT_EQ(nidf(1000, 1), 1);
  EXPECT_NEAR(nidf(1'000'000, 1000), 0.5, 1e-12);
  EXPECT_EQ(nidf(1, 1), 0);
}

}  // namespace
}  // namespace twinset

// The verdict on what two sketches tell, and common keys.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "scheme/estimate.h"
#include "twinset/scheme.h"

namespace twinset {
namespace {

constexpr Estimate estimate(double value, double standard_error = 0.01) {
  return {{value, value, value}, standard_error};
}

Comparison resembling(double value, double standard_error = 0.01) {
  Comparison found;
  found.resemblance = estimate(value, standard_error);
  return found;
}

TEST(Verdict, ComparesAnEstimateWithItsShare) {
  const PairThreshold least{.resemblance = Ratio(4, 5)};
  EXPECT_EQ(verdict(resembling(0.9), least), Verdict::reached);
  EXPECT_EQ(verdict(resembling(0.8), least), Verdict::reached);
  EXPECT_EQ(verdict(resembling(0.799), least), Verdict::below);
  EXPECT_EQ(verdict(resembling(0), least), Verdict::below);
  EXPECT_EQ(verdict(Comparison(), least), Verdict::unknown);
  EXPECT_EQ(verdict(resembling(1), {}), Verdict::reached);
}

// An estimate is a rounded number: the share that it rounds is judged as integers are.
TEST(Verdict, AnEstimateIsJudgedAsTheExactShareIs) {
  const std::vector<Ratio> thresholds{{0, 1},   {1, 3},  {2, 3},    {7, 10},     {5, 7},
                                      {41, 80}, {8, 10}, {29, 100}, {999, 1000}, {1, 1}};
  for (std::uint64_t trials = 1; trials <= 300; ++trials) {
    for (std::uint64_t successes = 0; successes <= trials; ++successes) {
      Comparison found;
      found.resemblance = estimate_share(successes, trials, 0);
      for (const Ratio& threshold : thresholds) {
        const bool reaches = threshold.reached_by(successes, trials);
        ASSERT_EQ(verdict(found, {.resemblance = threshold}),
                  reaches ? Verdict::reached : Verdict::below)
            << successes << "/" << trials << " at " << threshold.text();
      }
    }
  }
}

TEST(Verdict, ShorterSketchesAreJudgedAsTheirExactShareIs) {
  for (const unsigned bits : {1U, 2U, 4U, 8U}) {
    for (const unsigned bins : {64U, 128U, 256U, 512U}) {
      const std::uint64_t whole = bins * ((std::uint64_t{1} << bits) - 1);
      for (unsigned matches = 0; matches <= bins; ++matches) {
        if (std::uint64_t{matches} << bits < bins) continue;  // Fewer than by chance: 0.
        const std::uint64_t share = (std::uint64_t{matches} << bits) - bins;
        Comparison found;
        found.resemblance = estimate_matching_bits(matches, bins, bits);
        for (const Ratio& threshold : {Ratio(1, 3), Ratio(2, 3), Ratio(7, 10), Ratio(41, 80)}) {
          const bool reaches = threshold.reached_by(share, whole);
          ASSERT_EQ(verdict(found, {.resemblance = threshold}),
                    reaches ? Verdict::reached : Verdict::below)
              << matches << " of " << bins << " at " << threshold.text();
        }
      }
    }
  }
}

TEST(Verdict, GrantsErrors) {
  const PairThreshold exact{.resemblance = Ratio(4, 5)};
  const PairThreshold granted{.resemblance = Ratio(4, 5), .granted_errors = 4};
  EXPECT_EQ(verdict(resembling(0.77, 0.01), exact), Verdict::below);
  EXPECT_EQ(verdict(resembling(0.77, 0.01), granted), Verdict::reached);
  EXPECT_EQ(verdict(resembling(0.75, 0.01), granted), Verdict::below);
  EXPECT_EQ(verdict(resembling(0.75, 0.02), granted), Verdict::reached);
  EXPECT_EQ(verdict(resembling(0.799, 0), granted), Verdict::below);
}

TEST(Verdict, AsksForContainmentOfEitherDocument) {
  const PairThreshold both{.resemblance = Ratio(4, 5), .containment = Ratio(9, 10)};
  const PairThreshold only{.resemblance = {}, .containment = Ratio(9, 10)};
  Comparison found = resembling(0.3);
  EXPECT_EQ(verdict(found, both), Verdict::unknown) << "no containment is known";
  EXPECT_EQ(verdict(found, only), Verdict::unknown);
  found.containment_a_in_b = estimate(0.5);
  EXPECT_EQ(verdict(found, only), Verdict::unknown) << "the other one may reach it";
  found.containment_b_in_a = estimate(0.6);
  EXPECT_EQ(verdict(found, both), Verdict::below);
  EXPECT_EQ(verdict(found, only), Verdict::below);
  for (auto* side : {&found.containment_a_in_b, &found.containment_b_in_a}) {
    const std::optional<Estimate> low = *side;
    *side = estimate(0.95);
    EXPECT_EQ(verdict(found, both), Verdict::reached);
    EXPECT_EQ(verdict(found, only), Verdict::reached);
    EXPECT_EQ(verdict(found, {.resemblance = Ratio(4, 5)}), Verdict::below);
    *side = low;
  }
  found = resembling(0.9);
  EXPECT_EQ(verdict(found, both), Verdict::reached);
  EXPECT_EQ(verdict(found, only), Verdict::unknown);
}

TEST(Verdict, ReadsDistancesAndCoordinates) {
  Comparison far;
  far.distance = BitDistance{4, 64};
  EXPECT_EQ(verdict(far, {}), Verdict::below);
  EXPECT_EQ(verdict(far, {.distance = 4}), Verdict::reached);
  far.distance->differ = 3;
  EXPECT_EQ(verdict(far, {}), Verdict::reached);
  EXPECT_EQ(verdict(far, {.distance = 0}), Verdict::below);
  Comparison equal;
  equal.coordinate = 7;
  EXPECT_EQ(verdict(equal, {}), Verdict::reached);
}

TEST(SharesAKey, IsASearchForACommonElement) {
  std::mt19937_64 random(1);
  unsigned common = 0;
  for (int round = 0; round < 500; ++round) {
    std::set<std::uint64_t> a;
    std::set<std::uint64_t> b;
    for (std::uint64_t i = random() % 6; i > 0; --i) a.insert(random() % 20);
    for (std::uint64_t i = random() % 6; i > 0; --i) b.insert(random() % 20);
    const bool expected = std::ranges::any_of(a, [&](auto key) { return b.contains(key); });
    const std::vector<std::uint64_t> first(a.begin(), a.end());
    const std::vector<std::uint64_t> second(b.begin(), b.end());
    EXPECT_EQ(shares_a_key(first, second), expected);
    EXPECT_EQ(shares_a_key(second, first), expected);
    common += expected ? 1 : 0;
  }
  EXPECT_GT(common, 100U);
  EXPECT_LT(common, 400U);
  EXPECT_FALSE(shares_a_key({}, {}));
}

}  // namespace
}  // namespace twinset

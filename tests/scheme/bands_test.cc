#include "scheme/bands.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace twinset {
namespace {

TEST(Bands, CurveMatchesTheFormula) {
  for (const BandPlan plan : {BandPlan{14, 8}, BandPlan{28, 9}, BandPlan{1, 1}, BandPlan{128, 1}}) {
    for (const double j : {0.0, 0.1, 0.5, 0.8, 0.95, 1.0}) {
      EXPECT_NEAR(band_match_probability(plan, j),
                  1 - std::pow(1 - std::pow(j, plan.rows), plan.bands), 1e-12);
    }
  }
  EXPECT_NEAR(band_match_probability({14, 8}, 0.8), 0.92355, 5e-6);
  EXPECT_NEAR(band_match_probability({14, 8}, 0.6), 0.2111, 5e-5);
}

TEST(Bands, ChosenPlansAtTheDefaultThreshold) {
  const Result<BandPlan> fss = choose_band_plan(256, 0.8);
  ASSERT_TRUE(fss.ok());
  EXPECT_EQ(fss.value(), (BandPlan{28, 9}));
}

// Compared with every plan: none that reaches the recall has fewer false candidates.
TEST(Bands, NoPlanIsBetterThanTheChosenOne) {
  for (const std::uint32_t values : {16U, 64U, 100U}) {
    for (const double threshold : {0.4, 0.55, 0.8, 0.9, 1.0}) {
      const Result<BandPlan> chosen = choose_band_plan(values, threshold);
      ASSERT_TRUE(chosen.ok()) << chosen.error().message;
      const BandPlan best = chosen.value();
      EXPECT_LE(best.bands * best.rows, values);
      EXPECT_GE(band_match_probability(best, threshold), default_band_recall);
      const double share = false_candidate_share(best, threshold);
      for (std::uint32_t rows = 1; rows <= values; ++rows) {
        for (std::uint32_t bands = 1; bands * rows <= values; ++bands) {
          if (band_match_probability({bands, rows}, threshold) < default_band_recall) continue;
          EXPECT_LE(share, false_candidate_share({bands, rows}, threshold) + 1e-12)
              << bands << "x" << rows;
        }
      }
    }
  }
}

TEST(Bands, TooLowAThresholdNamesTheLowest) {
  const Result<BandPlan> plan = choose_band_plan(64, 0.02);
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().code, ErrorCode::usage);
  // 1 - (1 - t)^64 >= 0.98 from t = 0.0593 on.
  EXPECT_NE(plan.error().message.find("0.060"), std::string::npos) << plan.error().message;
  EXPECT_TRUE(choose_band_plan(64, 0.060).ok());
  EXPECT_FALSE(choose_band_plan(64, 0.059).ok());
}

TEST(Bands, RefusesWhatIsNoThreshold) {
  EXPECT_FALSE(choose_band_plan(256, 0).ok());
  EXPECT_FALSE(choose_band_plan(256, 1.01).ok());
  EXPECT_FALSE(choose_band_plan(256, std::nan("")).ok());
  EXPECT_FALSE(choose_band_plan(256, 0.8, 1.0).ok());
  EXPECT_FALSE(choose_band_plan(0, 0.8).ok());
  EXPECT_FALSE(choose_band_plan(max_band_values + 1, 0.8).ok());
}

TEST(Bands, GivenPlansMustFit) {
  ASSERT_TRUE(resolve_band_plan(128, 14, 8, 0.8).ok());
  EXPECT_EQ(resolve_band_plan(128, 14, 8, 0.8).value(), (BandPlan{14, 8}));
  EXPECT_EQ(resolve_band_plan(256, 0, 0, 0.8).value(), choose_band_plan(256, 0.8).value());
  EXPECT_FALSE(resolve_band_plan(128, 17, 8, 0.8).ok());
  EXPECT_FALSE(resolve_band_plan(128, 14, 0, 0.8).ok());
  EXPECT_FALSE(resolve_band_plan(128, 0, 8, 0.8).ok());
  EXPECT_FALSE(resolve_band_plan(128, std::uint64_t{1} << 63, 2, 0.8).ok());
}

TEST(Bands, AKeyIsABandAndItsValues) {
  const BandPlan plan{4, 3};
  const std::vector<std::uint64_t> values{1, 2, 3, 1, 2, 3, 0, 0, 0, 7, 8, 9, 99};
  std::vector<std::uint64_t> keys{42};
  append_band_keys(plan, values, keys);
  ASSERT_EQ(keys.size(), 5U);
  EXPECT_EQ(keys[0], 42U);
  // Equal values in another band are another key.
  EXPECT_EQ(std::set<std::uint64_t>(keys.begin(), keys.end()).size(), 5U);

  for (std::size_t i = 0; i < 12; ++i) {
    std::vector<std::uint64_t> changed = values;
    changed[i] += 1;
    std::vector<std::uint64_t> changed_keys;
    append_band_keys(plan, changed, changed_keys);
    for (std::size_t band = 0; band < 4; ++band) {
      EXPECT_EQ(changed_keys[band] == keys[band + 1], band != i / 3);
    }
  }
}

}  // namespace
}  // namespace twinset

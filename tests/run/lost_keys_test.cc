#include "run/lost_keys.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(LostKeys, LessThanHalfIsMostAndLessThanAnEighthNearlyAll) {
  EXPECT_FALSE(lost_most(16, 8));
  EXPECT_TRUE(lost_most(16, 7));
  EXPECT_FALSE(lost_nearly_all(16, 2));
  EXPECT_TRUE(lost_nearly_all(16, 1));
  EXPECT_FALSE(lost_most(0, 0)) << "a document without keys lost none";
  EXPECT_FALSE(lost_nearly_all(0, 0));
}

TEST(LostKeys, TheSchemeReadsTheRunsShingles) {
  const auto scheme = scheme_of_lost(7, 3, Ratio(1, 2));
  ASSERT_TRUE(scheme.ok());
  EXPECT_EQ(scheme.value()->shingle_tokens(), 7U);
  EXPECT_FALSE(scheme.value()->counts_keys());
  EXPECT_GT(scheme.value()->match_probability(0.5).value_or(0), 0.9);
  EXPECT_NE(scheme.value()->spec().find("seed=3"), std::string::npos) << scheme.value()->spec();
}

// calibrate asks for each of these, and would fail as a whole if one had no bands.
TEST(LostKeys, EveryResemblanceFromThreeTenthsUpHasBands) {
  for (unsigned twentieths = 6; twentieths <= 20; ++twentieths) {
    for (const unsigned shingle_tokens : {1U, 5U, 64U}) {
      EXPECT_TRUE(scheme_of_lost(shingle_tokens, 1, Ratio(twentieths, 20)).ok()) << twentieths;
    }
  }
}

}  // namespace
}  // namespace twinset

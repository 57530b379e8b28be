// What a run says of a scheme whose documents have a signature at few coordinates.
#include "run/keys_per_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace twinset {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::unique_ptr<Scheme> scheme_of(const std::string& spec) {
  auto made = make_scheme(spec, 0.8);
  EXPECT_TRUE(made.ok()) << spec;
  return std::move(made).value();
}

/// So many documents by their number of keys.
KeysPerDocument counts_of(const std::vector<std::pair<std::size_t, int>>& documents) {
  KeysPerDocument counts;
  for (const auto& [keys, times] : documents) {
    for (int i = 0; i < times; ++i) counts.add(keys);
  }
  return counts;
}

TEST(DescribeSurvival, IsTheMeanOverDocumentsOfEquationOne) {
  const auto scheme = scheme_of("imatch(sampling=drop, drop=0.5)");
  RunFacts facts;
  describe_survival(*scheme, counts_of({{11, 3}, {3, 1}, {1, 1}, {0, 5}}), facts);
  ASSERT_TRUE(facts.coordinates.has_value());
  EXPECT_EQ(facts.coordinates->coordinates, 11U);
  EXPECT_DOUBLE_EQ(facts.coordinates->mean, (3 * 11 + 3 + 1) / 10.0);
  ASSERT_EQ(facts.by_edits.size(), 6U);
  for (const FoundByEdits& each : facts.by_edits) {
    const double kept = std::pow(0.5, each.edits);
    const double found = 3 * (1 - std::pow(1 - kept, 10)) + 1 * (1 - std::pow(1 - kept, 2));
    EXPECT_NEAR(each.found, found / 10, 1e-12) << each.edits;
    EXPECT_GE(1 - std::pow(1 - kept, each.lexicons), 0.95) << each.edits;
    EXPECT_LT(1 - std::pow(1 - kept, each.lexicons - 1), 0.95) << each.edits;
  }
  EXPECT_TRUE(facts.warnings.empty()) << "nothing was promised";
}

TEST(DescribeSurvival, ABrokenPromiseIsAWarning) {
  const auto scheme = scheme_of("imatch(edits=5)");
  RunFacts kept;
  describe_survival(*scheme, counts_of({{11, 100}}), kept);
  EXPECT_TRUE(kept.warnings.empty());
  RunFacts broken;
  describe_survival(*scheme, counts_of({{11, 50}, {2, 50}}), broken);
  ASSERT_EQ(broken.warnings.size(), 1U);
  EXPECT_THAT(broken.warnings[0], HasSubstr("of copies with 5 edits, not 95 %"));
  EXPECT_THAT(broken.warnings[0], HasSubstr("a signature at 6.5 of 11 coordinates"));
  EXPECT_THAT(broken.warnings[0], HasSubstr("give more signatures, or ask for fewer edits"));
  // More than 31 signatures there cannot be.
  RunFacts most;
  describe_survival(*scheme_of("imatch(edits=5, signatures=31)"), counts_of({{2, 50}}), most);
  ASSERT_EQ(most.warnings.size(), 1U);
  EXPECT_THAT(most.warnings[0], HasSubstr("too few terms; ask for fewer edits"));
  EXPECT_FALSE(check_promise(*scheme, counts_of({{11, 50}, {2, 50}})).ok());
  EXPECT_TRUE(check_promise(*scheme, counts_of({{11, 100}})).ok());
  // The same without a promise.
  RunFacts silent;
  describe_survival(*scheme_of("imatch"), counts_of({{2, 50}}), silent);
  EXPECT_TRUE(silent.warnings.empty());
}

// 95 of 100 are a promise, and 94 break it; to the percent, which one short document does not move.
TEST(CheckPromise, IsKeptToThePercentOrRefusedWithTheShareThatIsFound) {
  const auto scheme = scheme_of("imatch(edits=5)");
  EXPECT_TRUE(check_promise(*scheme, counts_of({{11, 1000}, {1, 1}})).ok());
  const KeysPerDocument fewer = counts_of({{11, 100}, {1, 1}});
  RunFacts facts;
  describe_survival(*scheme, fewer, facts);
  EXPECT_NEAR(facts.by_edits[3].found, 0.941, 0.002);
  const Status refused = check_promise(*scheme, fewer);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::usage);
  EXPECT_THAT(refused.error().message, HasSubstr("finds some 94 % of copies with 5 edits, not 95"));
  ASSERT_EQ(facts.warnings.size(), 1U);
  EXPECT_EQ(facts.warnings[0], refused.error().message) << "a plan says it beforehand";
  ASSERT_THAT(refused.error().message, HasSubstr("take so few with found=0.94"));
  // Who takes so few is warned, and no longer refused.
  const auto taken = scheme_of("imatch(edits=5, found=0.94)");
  EXPECT_TRUE(check_promise(*taken, fewer).ok());
  RunFacts warned;
  describe_survival(*taken, fewer, warned);
  ASSERT_EQ(warned.warnings.size(), 1U);
  EXPECT_THAT(warned.warnings[0], Not(HasSubstr("found=")));
  EXPECT_FALSE(check_promise(*taken, counts_of({{11, 100}, {1, 3}})).ok());
  EXPECT_TRUE(check_promise(*scheme_of("imatch(edits=20, found=0)"), counts_of({{1, 9}})).ok());
  EXPECT_TRUE(check_promise(*scheme_of("imatch"), counts_of({{1, 9}})).ok()) << "no promise";
}

TEST(DescribeSurvival, OtherSchemesAndNoDocumentsTellNothing) {
  RunFacts facts;
  describe_survival(*scheme_of("minhash"), counts_of({{20, 5}}), facts);
  EXPECT_FALSE(facts.coordinates.has_value());
  describe_survival(*scheme_of("imatch"), KeysPerDocument(), facts);
  EXPECT_FALSE(facts.coordinates.has_value());
  EXPECT_TRUE(facts.by_edits.empty());
}

TEST(KeysPerDocument, AddUp) {
  KeysPerDocument counts = counts_of({{0, 1}, {32, 1}, {33, 1}, {500, 1}});
  counts.add(counts_of({{0, 2}, {7, 1}}));
  EXPECT_EQ(counts.documents[0], 3U);
  EXPECT_EQ(counts.documents[7], 1U);
  EXPECT_EQ(counts.documents[32], 3U);
}

}  // namespace
}  // namespace twinset

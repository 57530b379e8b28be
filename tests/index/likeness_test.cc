// Documents compared by what an index holds of them, with numbers that can be seen.
#include "index/likeness.h"

#include "index/index_testing.h"

namespace twinset::testing {
namespace {

TEST(Likeness, SharesReachTheirLeastOrCouldByTexts) {
  HeldLikeness found;
  found.likeness.resemblance = Interval{0.45, 0.3, 0.6};
  found.errors.resemblance = 0.02;
  const LeastShares half{Ratio(1, 2), {}};
  EXPECT_FALSE(reaches(found, half));
  EXPECT_TRUE(may_reach(found, half)) << "0.45 + 4 * 0.02";
  found.errors.resemblance = 0.01;
  EXPECT_FALSE(may_reach(found, half));
  found.likeness.contains = Interval{0.9, 0.8, 1};
  EXPECT_FALSE(reaches(found, half)) << "containment was not asked for";
  EXPECT_TRUE(reaches(found, {Ratio(1, 2), Ratio(9, 10)}));
  found.is_same = true;
  EXPECT_TRUE(reaches(found, half));
  EXPECT_TRUE(may_reach(HeldLikeness(), half)) << "nothing is known";
}

TEST(Likeness, ExactSharesReplaceEstimates) {
  Likeness likeness;
  likeness.resemblance = Interval{0.4, 0.3, 0.5};
  take_exactly({.shared = 6, .later = 8, .earlier = 10}, likeness);
  EXPECT_EQ(likeness.resemblance->value, 0.5);
  EXPECT_EQ(likeness.resemblance->low, 0.5);
  EXPECT_EQ(likeness.containment->value, 0.75);
  EXPECT_EQ(likeness.contains->value, 0.6);
  EXPECT_EQ(likeness.shared, 6U);
  EXPECT_TRUE(likeness.exact);
  take_exactly({}, likeness);
  EXPECT_FALSE(likeness.resemblance.has_value()) << "0 / 0";
}

TEST(Likeness, CopiesAreToldByHashes) {
  IndexSettings settings;
  settings.scheme = {"fss"};
  MemoryFiles files;
  const IndexSigner signer = IndexSigner::make(settings, files).value();
  HeldDocument a;
  a.sketches.resize(1);
  a.bytes_hash = {1, 1};
  a.tokens_hash = {2, 2};
  HeldDocument b = a;
  EXPECT_EQ(compare_held(signer, a, b).likeness.same, Sameness::bytes);
  b.bytes_hash = {3, 3};
  EXPECT_EQ(compare_held(signer, a, b).likeness.same, Sameness::tokens);
  EXPECT_TRUE(compare_held(signer, a, b).is_same);
  b.tokens_hash = {4, 4};
  EXPECT_EQ(compare_held(signer, a, b).likeness.same, Sameness::none);
  EXPECT_FALSE(compare_held(signer, a, b).is_same);
}

}  // namespace
}  // namespace twinset::testing

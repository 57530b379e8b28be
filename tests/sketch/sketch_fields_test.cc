#include "support/field_check.h"
#include "twinset/sketch.h"

namespace twinset {
namespace {

TEST(SketchFields, GoBothWays) {
  testing::expect_both_ways(SketchSummary());
  SketchSummary summary;
  testing::fill_fields(fields_of(summary));
  const SketchSummary again = testing::expect_both_ways(summary);
  EXPECT_EQ(again.schemes, summary.schemes);
  EXPECT_EQ(again.without.at(1).total(), summary.without[1].total());
}

TEST(SketchFields, ThoseOfAJoinGoBothWays) {
  testing::expect_both_ways(JoinSummary());
  JoinSummary summary;
  testing::fill_fields(fields_of(summary));
  EXPECT_EQ(testing::expect_both_ways(summary).pairs, summary.pairs);
}

}  // namespace
}  // namespace twinset

#include <gtest/gtest.h>

#include "twinset/plan.h"

namespace twinset {
namespace {

TEST(PlanOptions, TheRunToPredictIsOneOfTwoVerbs) {
  PlanOptions options;
  for (const Option& option : options_of(options)) {
    if (option.name() != "for") continue;
    EXPECT_EQ(option.text(), "dedup");
    EXPECT_TRUE(option.set("cluster").ok());
    EXPECT_FALSE(option.set("recut").ok());
  }
  EXPECT_EQ(options.run, PlannedRun::cluster);
}

}  // namespace
}  // namespace twinset

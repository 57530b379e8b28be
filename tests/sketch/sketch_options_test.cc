#include <gtest/gtest.h>

#include "twinset/sketch.h"

namespace twinset {
namespace {

TEST(SketchOptions, SeveralSchemesAreTaken) {
  SketchOptions options;
  JoinOptions join;
  std::vector<Option> all = options_of(options);
  for (const Option& option : all) {
    if (option.name() == "scheme") {
      EXPECT_EQ(option.by_default, "simhash");
    }
  }
  for (const Option& option : options_of(join)) {
    if (option.name() == "distance") {
      EXPECT_TRUE(option.set("5").ok());
      EXPECT_FALSE(option.set("near").ok());
    }
  }
  EXPECT_EQ(join.distance, 5U);
}

}  // namespace
}  // namespace twinset

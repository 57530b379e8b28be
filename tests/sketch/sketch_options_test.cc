#include <gtest/gtest.h>

#include "twinset/sketch.h"

namespace twinset {
namespace {

TEST(SketchOptions, SeveralSchemesAreTaken) {
  SketchOptions options;
  for (const Option& option : options_of(options)) {
    if (option.name() != "scheme") continue;
    EXPECT_TRUE(std::holds_alternative<std::vector<std::string>*>(option.member));
    EXPECT_EQ(std::get<std::vector<std::string>*>(option.member), &options.scheme);
  }
}

TEST(JoinOptions, ADistanceIsANumber) {
  JoinOptions options;
  for (const Option& option : options_of(options)) {
    if (option.name() != "distance") continue;
    EXPECT_TRUE(option.set("5").ok());
    EXPECT_FALSE(option.set("near").ok());
  }
  EXPECT_EQ(options.distance, 5U);
}

}  // namespace
}  // namespace twinset

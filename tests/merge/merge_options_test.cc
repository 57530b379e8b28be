#include <gtest/gtest.h>

#include "twinset/merge.h"

namespace twinset {
namespace {

TEST(MergeOptionsDeclared, AreThePartsTheFolderAndTheMachine) {
  MergeOptions options;
  for (const Option& option : options_of(options)) {
    if (option.name() == "parts") {
      EXPECT_TRUE(option.set("p/1").ok());
    } else if (option.name() == "output") {
      EXPECT_TRUE(option.set("clean").ok());
    } else if (option.name() == "threads") {
      EXPECT_TRUE(option.set("3").ok());
    }
  }
  EXPECT_EQ(options.parts, (std::vector<std::string>{"p/1"}));
  EXPECT_EQ(options.output, "clean");
  EXPECT_EQ(options.resources.threads, 3U);
}

}  // namespace
}  // namespace twinset

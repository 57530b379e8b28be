#include <gtest/gtest.h>

#include "twinset/lexicon.h"

namespace twinset {
namespace {

TEST(LexiconOptions, WindowsAreRangesOfShares) {
  LexiconOptions options;
  for (const Option& option : options_of(options)) {
    if (option.name() == "nidf") {
      EXPECT_TRUE(option.set("0.2:0.3").ok());
    }
    if (option.name() == "secondary") {
      EXPECT_TRUE(option.set("0.8:").ok());
    }
    if (option.name() == "secondary_terms") {
      EXPECT_FALSE(option.set("many").ok());
    }
  }
  EXPECT_EQ(options.nidf.least, Ratio(1, 5));
  EXPECT_EQ(options.nidf.most, Ratio(3, 10));
  EXPECT_EQ(options.secondary.least, Ratio(4, 5));
  EXPECT_FALSE(options.secondary.most.has_value());
}

// The command that a file keeps has the options that decide its content.
TEST(LexiconOptions, ThreadsAndOutputDecideNothing) {
  LexiconOptions options;
  for (const Option& option : options_of(options)) {
    const std::string name = option.name();
    if (name == "threads" || name == "memory" || name == "output" || name == "tmp") {
      EXPECT_EQ(option.role, OptionRole::unrecorded) << name;
    }
    if (name == "nidf" || name == "analyzer" || name == "text" || name == "min_df") {
      EXPECT_EQ(option.role, OptionRole::decides) << name;
    }
  }
}

}  // namespace
}  // namespace twinset

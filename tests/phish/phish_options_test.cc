#include <gtest/gtest.h>

#include "twinset/phish.h"

namespace twinset {
namespace {

TEST(PhishOptions, TheDefaultsAreThePapersAndTheStricterRulesAreShares) {
  PhishOptions options;
  EXPECT_EQ(options.min_parts, 1U) << "one chunk or more (8.2)";
  EXPECT_FALSE(options.min_share.reached_by(0, 0));
  EXPECT_TRUE(options.min_share.reached_by(1, 1000));
  std::size_t seen = 0;
  for (const Option& option : options_of(options)) {
    const std::string name = option.name();
    if (name == "labels" || name == "inputs") {
      EXPECT_TRUE(option.is_required);
      ++seen;
    }
    if (name == "min_share") {
      EXPECT_TRUE(option.set("50%").ok());
      EXPECT_FALSE(option.set("2").ok());
      ++seen;
    }
    if (name == "top" || name == "threads") {
      EXPECT_EQ(option.role, OptionRole::unrecorded);
      ++seen;
    }
    if (name == "allow" || name == "site" || name == "stop" || name == "url") {
      EXPECT_EQ(option.role, OptionRole::decides);
      ++seen;
    }
    EXPECT_NE(name, "repeats") << "a crawler's loop may be a phish all the same";
  }
  EXPECT_EQ(seen, 9U);
  EXPECT_EQ(options.min_share, Ratio(1, 2));
}

}  // namespace
}  // namespace twinset

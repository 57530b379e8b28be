// The options of filter set the members that they name.
#include <gtest/gtest.h>

#include "twinset/filter.h"

namespace twinset::testing {
namespace {

Status set_option(FilterOptions& options, const std::string& name, const std::string& value) {
  for (const Option& option : options_of(options)) {
    if (option.name() == name) return option.set(value);
  }
  return usage_error("there is no option " + name);
}

TEST(FilterOptions, SetTheirMembers) {
  FilterOptions options;
  ASSERT_TRUE(set_option(options, "prototypes", "a").ok());
  ASSERT_TRUE(set_option(options, "prototypes", "b").ok());
  ASSERT_TRUE(set_option(options, "scheme", "imatch").ok());
  ASSERT_TRUE(set_option(options, "expire_after", "90").ok());
  ASSERT_TRUE(set_option(options, "resemblance", "0.9").ok());
  ASSERT_TRUE(set_option(options, "emit", "pass").ok());
  EXPECT_EQ(options.prototypes, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(options.settings.scheme, std::vector<std::string>{"imatch"});
  EXPECT_EQ(options.expire_after, 90U);
  EXPECT_EQ(options.resemblance, Ratio(9, 10));
  EXPECT_EQ(options.emit, EmitMessages::pass);
  EXPECT_FALSE(set_option(options, "emit", "all").ok());
}

}  // namespace
}  // namespace twinset::testing

// The options of index and query set the members that they name.
#include "search/search_testing.h"

namespace twinset::testing {
namespace {

template <class Options>
Status set_option(Options& options, const std::string& name, const std::string& value) {
  for (const Option& option : options_of(options)) {
    if (option.name() == name) return option.set(value);
  }
  return usage_error("there is no option " + name);
}

TEST(IndexOptions, SetTheirMembers) {
  IndexOptions options;
  ASSERT_TRUE(set_option(options, "scheme", "fss").ok());
  ASSERT_TRUE(set_option(options, "scheme", "mod").ok());
  ASSERT_TRUE(set_option(options, "texts", "true").ok());
  ASSERT_TRUE(set_option(options, "field", "lang").ok());
  EXPECT_EQ(options.settings.scheme, (std::vector<std::string>{"fss", "mod"}));
  EXPECT_TRUE(options.settings.texts);
  EXPECT_EQ(options.field, std::vector<std::string>{"lang"});
  QueryOptions query;
  ASSERT_TRUE(set_option(query, "containment", "90%").ok());
  ASSERT_TRUE(set_option(query, "top", "0").ok());
  EXPECT_EQ(query.containment, Ratio(9, 10));
  EXPECT_EQ(query.top, 0U);
  EXPECT_FALSE(set_option(query, "resemblance", "2").ok());
}

}  // namespace
}  // namespace twinset::testing

#include "reuse/reuse_options.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(ReuseOptions, ValuesReachTheirMembers) {
  PageSettings pages;
  for (const Option& option : page_options(pages)) {
    EXPECT_EQ(option.role, OptionRole::decides) << option.name();
    EXPECT_TRUE(option.set(option.name() == "url" ? "target.uri" : "0").ok()) << option.name();
  }
  EXPECT_EQ(pages.url, "target.uri");
  EXPECT_EQ(pages.repeats, 0U);
}

}  // namespace
}  // namespace twinset

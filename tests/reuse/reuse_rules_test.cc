#include "reuse/reuse_rules.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(ReuseRules, RepeatsHaveARange) {
  for (const std::uint64_t repeats : {0, 2, 3, 256}) {
    EXPECT_TRUE(check_page_settings({.repeats = repeats}).ok()) << repeats;
  }
  for (const std::uint64_t repeats : {1, 257}) {
    EXPECT_FALSE(check_page_settings({.repeats = repeats}).ok()) << repeats;
  }
}

}  // namespace
}  // namespace twinset

#include <gtest/gtest.h>

#include "twinset/reuse.h"

namespace twinset {
namespace {

TEST(DiscoverOptions, TheDefaultsAreThePapers) {
  const DiscoverOptions options;
  EXPECT_EQ(options.over_files, 1000U);
  EXPECT_EQ(options.over_chunks, 100'000U);
  EXPECT_EQ(options.stop_in_site, 0U);
  EXPECT_EQ(options.stop_over_sites, 0U);
}

TEST(DiscoverOptions, WhatDecidesIsToldFromWhatDoesNot) {
  DiscoverOptions options;
  bool has_inputs = false;
  for (const Option& option : options_of(options)) {
    const std::string name = option.name();
    const bool elsewhere =
        name == "output" || name == "report" || name == "top" || name == "threads";
    if (elsewhere) {
      EXPECT_EQ(option.role, OptionRole::unrecorded) << name;
    }
    const bool rules = name == "chunks" || name == "over_chunks" || name == "from" ||
                       name == "stop" || name == "min_chars" || name == "url";
    if (rules) {
      EXPECT_EQ(option.role, OptionRole::decides) << name;
    }
    if (option.long_flag() != "IN") continue;
    has_inputs = true;
    EXPECT_FALSE(option.is_required);  // --from alone is enough
  }
  EXPECT_TRUE(has_inputs);
}

}  // namespace
}  // namespace twinset

#include <gtest/gtest.h>

#include "twinset/spans.h"

namespace twinset {
namespace {

TEST(SpansOptions, WhatDecidesIsToldFromWhatDoesNot) {
  SpansOptions options;
  for (const Option& option : options_of(options)) {
    const std::string name = option.name();
    if (name == "threads" || name == "memory" || name == "output" || name == "max_meetings") {
      EXPECT_EQ(option.role, OptionRole::unrecorded) << name;
    }
    if (name == "min_tokens" || name == "cut" || name == "all_pairs" || name == "across" ||
        name == "against") {
      EXPECT_EQ(option.role, OptionRole::decides) << name;
    }
    if (name == "min_tokens") {
      EXPECT_TRUE(option.set("35").ok());
      EXPECT_FALSE(option.set("-1").ok());
    }
  }
  EXPECT_EQ(options.min_tokens, 35U);
}

}  // namespace
}  // namespace twinset

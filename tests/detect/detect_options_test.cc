#include <gtest/gtest.h>

#include "twinset/reuse.h"

namespace twinset {
namespace {

TEST(DetectOptions, WhatDecidesIsToldFromWhatDoesNot) {
  DetectOptions options;
  std::size_t seen = 0;
  for (const Option& option : options_of(options)) {
    const std::string name = option.name();
    for (const char* unrecorded : {"output", "report", "top", "threads", "memory"}) {
      if (name != unrecorded) continue;
      EXPECT_EQ(option.role, OptionRole::unrecorded) << name;
      ++seen;
    }
    for (const char* decides : {"labels", "threshold", "page_threshold", "badness", "stop", "merge",
                                "url", "repeats", "format"}) {
      if (name != decides) continue;
      EXPECT_EQ(option.role, OptionRole::decides) << name;
      ++seen;
    }
    if (name == "badness") {
      EXPECT_TRUE(option.set("pages").ok());
      EXPECT_FALSE(option.set("sites").ok());
    }
    if (name == "inputs") {
      EXPECT_FALSE(option.is_required) << "--merge takes none";
    }
  }
  EXPECT_EQ(seen, 14U);
  EXPECT_EQ(options.badness, Badness::pages);
  EXPECT_EQ(options.threshold, "auto");
}

}  // namespace
}  // namespace twinset

// The options of track set the members that they name.
#include <gtest/gtest.h>

#include "twinset/index.h"

namespace twinset::testing {
namespace {

TEST(TrackOptions, SetTheirMembers) {
  TrackOptions options;
  for (const auto& [name, value] :
       {std::pair("url", "link"), std::pair("distance", "7"), std::pair("changes", "true"),
        std::pair("resemblance", "30%")}) {
    bool found = false;
    for (const Option& option : options_of(options)) {
      if (option.name() != name) continue;
      found = true;
      EXPECT_TRUE(option.set(value).ok()) << name;
    }
    EXPECT_TRUE(found) << name;
  }
  EXPECT_EQ(options.url, "link");
  EXPECT_EQ(options.distance, 7U);
  EXPECT_TRUE(options.changes);
  EXPECT_EQ(options.resemblance, Ratio(3, 10));
}

}  // namespace
}  // namespace twinset::testing

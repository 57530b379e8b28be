#include <gtest/gtest.h>

#include "twinset/calibrate.h"

namespace twinset {
namespace {

TEST(CalibrateOptions, ASchemeIsRequiredAndThresholdsAreShares) {
  CalibrateOptions options;
  bool scheme = false;
  for (const Option& option : options_of(options)) {
    if (option.name() == "scheme") scheme = option.is_required;
    if (option.name() != "precision") continue;
    EXPECT_EQ(option.text(), "0.95");
    EXPECT_TRUE(option.set("99%").ok());
    EXPECT_FALSE(option.set("1.1").ok());
  }
  EXPECT_TRUE(scheme);
  EXPECT_EQ(options.precision.value(), 0.99);
}

}  // namespace
}  // namespace twinset

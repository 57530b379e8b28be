#include <gtest/gtest.h>

#include "twinset/labels.h"

namespace twinset {
namespace {

TEST(LabelsOptions, SetTheirMembers) {
  LabelsOptions options;
  const auto set = [&](std::string_view name, std::string_view text) {
    for (const Option& option : options_of(options)) {
      if (option.name() == name) return option.set(text);
    }
    return Status(usage_error("no option " + std::string(name)));
  };
  EXPECT_TRUE(set("inputs", "a.labels").ok());
  EXPECT_TRUE(set("inputs", "b.labels").ok());
  EXPECT_TRUE(set("output", "both.labels").ok());
  EXPECT_TRUE(set("top", "20").ok());
  EXPECT_FALSE(set("top", "many").ok());
  EXPECT_TRUE(set("rules", "hadoop sha1 least=0").ok());
  EXPECT_EQ(options.inputs, (std::vector<std::string>{"a.labels", "b.labels"}));
  EXPECT_EQ(options.output, "both.labels");
  EXPECT_EQ(options.top, 20U);
  EXPECT_EQ(options.rules, "hadoop sha1 least=0");
}

}  // namespace
}  // namespace twinset

#include <gtest/gtest.h>

#include "twinset/judge.h"

namespace twinset {
namespace {

TEST(JudgeOptions, SetTheirMembers) {
  JudgeOptions options;
  const auto set = [&](std::string_view name, std::string_view text) {
    for (const Option& option : options_of(options)) {
      if (option.name() == name) return option.set(text);
    }
    return Status(usage_error("no option " + std::string(name)));
  };
  EXPECT_TRUE(set("sources", "groups").ok());
  EXPECT_TRUE(set("output", "groups.judged").ok());
  EXPECT_TRUE(set("sample", "50").ok());
  EXPECT_TRUE(set("by", "label").ok());
  EXPECT_FALSE(set("by", "length").ok());
  EXPECT_TRUE(set("seed", "9").ok());
  EXPECT_TRUE(set("categories", "yes,no").ok());
  EXPECT_TRUE(set("judge", "ann").ok());
  EXPECT_TRUE(set("page", "p.html").ok());
  EXPECT_TRUE(set("table", "true").ok());
  EXPECT_TRUE(set("text", "body").ok());
  EXPECT_FALSE(set("limit", "5").ok());
  EXPECT_FALSE(set("allow_lost_inputs", "true").ok());
  EXPECT_EQ(options.sources, std::vector<std::string>{"groups"});
  EXPECT_EQ(options.output, "groups.judged");
  EXPECT_EQ(options.sample, 50U);
  EXPECT_EQ(options.by, JudgeBy::label);
  EXPECT_EQ(options.seed, 9U);
  EXPECT_EQ(options.categories, "yes,no");
  EXPECT_EQ(options.judge, "ann");
  EXPECT_EQ(options.page, "p.html");
  EXPECT_TRUE(options.table);
  EXPECT_EQ(options.input.text, "body");
}

}  // namespace
}  // namespace twinset

#include <gtest/gtest.h>

#include "twinset/look.h"
#include "twinset/pair.h"

namespace twinset {
namespace {

template <class Options>
Status set(Options& options, std::string_view name, std::string_view text) {
  for (const Option& option : options_of(options)) {
    if (option.name() == name) return option.set(text);
  }
  return usage_error("no option " + std::string(name));
}

TEST(LookOptions, SetTheMembersOfTheirVerbs) {
  CompareOptions compare;
  EXPECT_TRUE(set(compare, "a", "old.txt").ok());
  EXPECT_TRUE(set(compare, "shingle", "3").ok());
  EXPECT_TRUE(set(compare, "numbers", "true").ok());
  EXPECT_EQ(compare.a, "old.txt");
  EXPECT_EQ(compare.shingle, 3U);
  EXPECT_TRUE(compare.answer.numbers);
  ExplainOptions explain;
  EXPECT_TRUE(set(explain, "folder", "clean").ok());
  EXPECT_TRUE(set(explain, "numbers", "true").ok());
  EXPECT_EQ(explain.folder, "clean");
  EXPECT_TRUE(explain.numbers);
  RestoreOptions restore;
  EXPECT_TRUE(set(restore, "records", "n1").ok());
  EXPECT_TRUE(set(restore, "records", "n2").ok());
  EXPECT_TRUE(set(restore, "output", "again").ok());
  EXPECT_EQ(restore.records.size(), 2U);
  EXPECT_EQ(restore.output, "again");
}

TEST(LookOptions, ShowTakesARangeOfResemblance) {
  ShowOptions options;
  EXPECT_TRUE(set(options, "resemblance", "0.8:").ok());
  EXPECT_EQ(options.resemblance.least, Ratio(4, 5));
  EXPECT_FALSE(options.resemblance.most.has_value());
  EXPECT_FALSE(set(options, "resemblance", "0.8").ok());
  EXPECT_EQ(options.top, 20U);
}

}  // namespace
}  // namespace twinset

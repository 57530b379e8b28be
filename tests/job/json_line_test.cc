#include "job/json_line.h"

#include <array>

#include "job/small_run.h"

namespace twinset {
namespace {

TEST(JsonLine, FindsFieldsByNameAndKind) {
  static constexpr std::array<std::string_view, 5> names{"id", "n", "run.seconds", "list", "no"};
  JsonLine line;
  ASSERT_TRUE(
      line.parse(R"({"id":"a\"b","n":42,"run":{"seconds":1.5},"list":["x",7,"\u00e9"]})", names));
  EXPECT_EQ(line.text(0), "a\"b");
  EXPECT_EQ(line.number(1), 42U);
  EXPECT_EQ(line.real(2), 1.5);
  EXPECT_EQ(json_array_texts(line.raw(3)), (std::vector<std::string>{"x", "7", "\xc3\xa9"}));
  EXPECT_TRUE(line.raw(4).empty());
  EXPECT_TRUE(json_array_texts("[]").empty());
  EXPECT_FALSE(line.parse("[1]", names));
}

TEST(JsonLine, ReadsLinesUntilToldToStopAndSeesDamage) {
  testing::SmallRun small;
  small.run();
  const std::string removed = small.options.output + "/removed.jsonl.zst";
  int lines = 0;
  const auto count = [&](std::string_view) -> Result<bool> { return ++lines < 2; };
  ASSERT_TRUE(for_each_line(disk(), removed, count).ok());
  EXPECT_EQ(lines, 2);
  std::filesystem::resize_file(removed, std::filesystem::file_size(removed) / 2);
  const auto all = [](std::string_view) -> Result<bool> { return true; };
  EXPECT_FALSE(for_each_line(disk(), removed, all).ok());
}

}  // namespace
}  // namespace twinset

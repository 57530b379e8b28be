#include "job/summary.h"

#include <array>

#include "job/json_line.h"
#include "job/small_run.h"

namespace twinset {
namespace {

TEST(Summary, HoldsEveryCountAndNamesItsCommand) {
  testing::SmallRun small;
  small.run();
  static constexpr std::array<std::string_view, 9> names{"read",
                                                         "kept",
                                                         "removed",
                                                         "quarantined",
                                                         "filtered",
                                                         "removed_by_kind.near",
                                                         "matching.clusters",
                                                         "options.keep",
                                                         "run.identity"};
  const std::string text = small.folder.read("out/summary.json");
  JsonLine line;
  ASSERT_TRUE(line.parse(text, names)) << text;
  const std::array<std::uint64_t, 7> expected{6, 2, 3, 1, 0, 1, 1};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(line.number(i), expected[i]) << i;
  EXPECT_EQ(line.text(7), "first");
  EXPECT_FALSE(line.text(8).empty());
}

TEST(Summary, OptionsAreJsonWhateverTheyHold) {
  DedupOptions options;
  options.inputs = {"a \"quoted\"\n.jsonl", "\xff"};
  JsonLine line;
  static constexpr std::array<std::string_view, 1> names{"inputs"};
  const std::string text = options_json(options);
  ASSERT_TRUE(line.parse(text, names)) << text;
  EXPECT_EQ(json_array_texts(line.raw(0)),
            (std::vector<std::string>{"a \"quoted\"\n.jsonl", "\xef\xbf\xbd"}));
}

}  // namespace
}  // namespace twinset

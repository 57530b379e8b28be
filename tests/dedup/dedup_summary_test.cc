#include "dedup/dedup_summary.h"

#include "io/json_read.h"
#include "support/small_run.h"

namespace twinset {
namespace {

TEST(DedupSummaryJson, HoldsEveryCountAndNamesItsCommand) {
  testing::SmallRun small;
  small.run();
  const std::string text = small.folder.read("out/summary.json");
  const Result<JsonNode> parsed = read_json(text, "summary");
  ASSERT_TRUE(parsed.ok()) << text;
  const JsonNode summary = parsed.value();
  EXPECT_EQ(summary["read"].integer(), 6U);
  EXPECT_EQ(summary["kept"].integer(), 2U);
  EXPECT_EQ(summary["removed"].integer(), 3U);
  EXPECT_EQ(summary["quarantined"].integer(), 1U);
  EXPECT_EQ(summary["filtered"].integer(), 0U);
  EXPECT_EQ(summary["removed_by_kind"]["near"].integer(), 1U);
  EXPECT_EQ(summary["matching"]["clusters"].integer(), 1U);
  EXPECT_EQ(summary["options"]["keep"].text(), "first");
  EXPECT_FALSE(summary["run"]["identity"].text().empty());
}

TEST(DedupSummaryJson, OptionsAreJsonWhateverTheyHold) {
  DedupOptions options;
  options.inputs = {"a \"quoted\"\n.jsonl", "\xff"};
  const std::string text = dedup_options_json(options);
  const Result<JsonNode> parsed = read_json(text, "options");
  ASSERT_TRUE(parsed.ok()) << text;
  const std::vector<JsonNode> inputs = parsed.value()["inputs"].elements();
  ASSERT_EQ(inputs.size(), 2U);
  EXPECT_EQ(inputs[0].text(), "a \"quoted\"\n.jsonl");
  EXPECT_EQ(inputs[1].text(), "\xef\xbf\xbd");
}

}  // namespace
}  // namespace twinset

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

}  // namespace
}  // namespace twinset

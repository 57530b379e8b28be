#include "dedup/dedup_fields.h"

#include "io/json_read.h"
#include "support/field_check.h"
#include "support_runs/small_run.h"

namespace twinset {
namespace {

/// Every member has a value of its own.
DedupSummary filled() {
  DedupSummary summary;
  testing::fill_fields(fields_of(summary));
  const auto add_up = [](Counts& counts) {
    counts.read =
        counts.kept + counts.removed() + counts.quarantined + counts.filtered + counts.carried;
  };
  add_up(summary.total);
  for (FileCounts& file : summary.files) add_up(file.counts);
  return summary;
}

TEST(DedupFields, GoBothWays) {
  testing::expect_both_ways(DedupSummary());
  const DedupSummary summary = filled();
  const DedupSummary again = testing::expect_both_ways(summary);
  EXPECT_EQ(again.total.contained, summary.total.contained);
  EXPECT_EQ(again.repair_pairs, summary.repair_pairs);
  ASSERT_EQ(again.files.size(), 2U);
  ASSERT_EQ(again.inputs.size(), 2U);
  // One object of "files" gives both lists.
  EXPECT_EQ(again.files[1].name, summary.inputs[1].name);
  EXPECT_EQ(again.inputs[1].file, summary.files[1].file);
  EXPECT_EQ(again.inputs[1].reference, summary.files[1].reference);
  ASSERT_TRUE(again.templates.has_value());
  EXPECT_EQ(again.templates->largest.size(), 2U);
}

TEST(DedupFields, CountsThatDoNotAddUpAreAnError) {
  DedupSummary summary = filled();
  ++summary.files[1].counts.read;
  const std::string json = fields_json(fields_of(summary), JsonLayout::lines);
  DedupSummary again;
  const Status read = read_fields(json, "out/summary.json", fields_of(again));
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find(": files[1] does not hold: read = kept + removed + "),
            std::string::npos)
      << read.error().message;
}

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

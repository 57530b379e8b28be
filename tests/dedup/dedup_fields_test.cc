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

TEST(RemovalLine, GoesBothWays) {
  const NamedDocument removed{"\"d7\"", "b.jsonl", 3, 0x5d1c0f9a7be24431};
  const NamedDocument survivor{"2", "a \"1\".jsonl", 2, 0xbe7c4a1d90f3c62};
  FieldLine<Removal> line;
  *line = {removed, survivor, RemovalKind::near, 0.5, 0.75, 0.25, {}, {}, 6, 8, 24, 3};
  std::string written = testing::expect_line_both_ways(line);
  EXPECT_EQ(written,
            R"({"id": "d7", "file": "b.jsonl", "record": 3, "kind": "near", "survivor_id": 2, )"
            R"("survivor_file": "a \"1\".jsonl", "survivor_record": 2, "resemblance": 0.5, )"
            R"("containment": 0.75, "survivor_containment": 0.25, "shared_shingles": 6, )"
            R"("shingles": 8, "survivor_shingles": 24, "template_shingles": 3, )"
            R"("fingerprint": "5d1c0f9a7be24431", "survivor_fingerprint": "0be7c4a1d90f3c62"})"
            "\n");
  *line = {removed, survivor, RemovalKind::near, 0.9, 0, 0, 0.01, Interval{0.9, 0.88, 0.92}, 0, 0,
           0,       {}};
  written.clear();
  line.append(written);
  EXPECT_NE(
      written.find(R"("resemblance": 0.9, "standard_error": 0.01, "interval": {"value": 0.9, )"
                   R"("low": 0.88, "high": 0.92}, "fingerprint")"),
      written.npos)
      << written;
  FieldLine<Removal> again;
  ASSERT_TRUE(again.read(written, "removed.jsonl:1").ok());
  EXPECT_EQ(again->standard_error, 0.01);
  ASSERT_TRUE(again->interval.has_value());
  EXPECT_EQ(again->interval->high, 0.92);
  EXPECT_EQ(again->survivor.file, survivor.file);
  EXPECT_EQ(again->survivor.fingerprint, survivor.fingerprint);
  EXPECT_FALSE(again->template_shingles.has_value());
}

TEST(RemovalLine, AnUnknownKindIsAnError) {
  FieldLine<Removal> line;
  std::string written;
  line.append(written);
  written.replace(written.find("identical"), 9, "similar");
  const Status read = line.read(written, "removed.jsonl:7");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().message,
            "removed.jsonl:7 is damaged, or of another version: byte 46: kind is not a known word");
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

#include "run/run_fields.h"

#include "support/field_check.h"

namespace twinset {
namespace {

TEST(RunFields, FactsGoBothWays) {
  testing::expect_both_ways(RunFacts());
  RunFacts facts;
  testing::fill_fields(fields_of(facts));
  facts.inputs[1].checksum = 0xfedcba9876543210U;
  const RunFacts again = testing::expect_both_ways(facts);
  EXPECT_EQ(again.inputs[1].checksum, 0xfedcba9876543210U);
  EXPECT_EQ(again.inputs[1].name, facts.inputs[1].name);
  EXPECT_EQ(again.stages[1].stage, facts.stages[1].stage);
  EXPECT_EQ(again.analyzer_version, facts.analyzer_version);
  ASSERT_TRUE(again.without_signature.has_value());
  EXPECT_EQ(again.without_signature->total(), facts.without_signature->total());
}

TEST(RunFields, AnIntervalGoesBothWays) {
  Interval interval{0.5, 0.25, 0.75};
  EXPECT_EQ(fields_json(fields_of(interval)), R"({"value": 0.5, "low": 0.25, "high": 0.75})");
  testing::expect_both_ways(interval);
}

TEST(RunFields, AreWrittenInTheFormOfASummary) {
  RunFacts facts;
  facts.verb = "dedup";
  facts.analyzer = "words";
  facts.analyzer_version = 2;
  facts.warnings = {"one", "two"};
  facts.lost_inputs = {{"a \"b\"", "no_document", "some cause", 12, 34},
                       {"c", "binary", "is a PNG picture", 0, 0}};
  facts.inputs = {{"in/a.html.gz", "a.html.gz", false, "html", true, false, "gzip", 1, 0x1234}};
  facts.stages = {{"read", 0.25, 1}, {"fold", 1e-7, 0}};
  facts.outputs = {{"a", 1}, {"b", 2}};
  EXPECT_EQ(fields_json(fields_of(facts), JsonLayout::lines), R"({
  "analyzer": {"name": "words", "version": 2},
  "text_bytes": 0,
  "warnings": ["one","two"],
  "skipped": [],
  "guessed": [],
  "lost_inputs": [
    {"file": "a \"b\"", "reason": "no_document", "cause": "some cause", "bytes_read": 12, "records_read": 34},
    {"file": "c", "reason": "binary", "cause": "is a PNG picture", "bytes_read": 0, "records_read": 0}],
  "invalid_utf8": {"records": 0, "files": 0, "first": ""},
  "raw_html": {"records": 0, "files": 0, "first": ""},
  "without_document": {"records": 0, "files": 0, "first": ""},
  "mended_lengths": {"records": 0, "files": 0, "first": ""},
  "without_value": {"records": 0, "files": 0, "first": ""},
  "left_out_content": {"scripts": 0, "style_sheets": 0, "empty_pages": 0},
  "files": [
    {"file": "in/a.html.gz", "reference": false, "name": "a.html.gz", "format": "html", "html": true, "html_by_text": false, "compression": "gzip", "lines": 1, "checksum": "0000000000001234"}],
  "run": {"verb": "dedup", "folder": "", "identity": "", "command": "", "version": "", "started": "", "seconds": 0, "cpu_seconds": 0, "stages": {"read": {"seconds": 0.25, "cpu_seconds": 1}, "fold": {"seconds": 0, "cpu_seconds": 0}}, "peak_memory_bytes": 0, "spilled_bytes": 0, "resumed": false, "outputs": [{"file": "a", "bytes": 1}, {"file": "b", "bytes": 2}]}
}
)");
}

TEST(RunFields, AChecksumIsSixteenDigits) {
  const auto refusal = [](const std::string& checksum) {
    InputFacts input;
    std::string json = fields_json(fields_of(input));
    const std::string zeros(16, '0');
    json.replace(json.find(zeros), zeros.size(), checksum);
    const Status read = read_fields(json, "x", fields_of(input));
    return read.ok() ? "" : read.error().message;
  };
  EXPECT_EQ(refusal("00000000000000ff"), "");
  for (const char* checksum : {"", "0", "no", "00000000000000fg", "00000000000000000"}) {
    EXPECT_NE(refusal(checksum).find("checksum is not a known value"), std::string::npos)
        << checksum;
  }
}

TEST(NamedDocumentFields, GoBothWays) {
  FieldLine<NamedDocument> line;
  *line = {"[1, \"b\"]", "a\t\\.jsonl", 3, 0xff};
  EXPECT_EQ(testing::expect_line_both_ways(line),
            R"({"id": [1, "b"], "file": "a\t\\.jsonl", "record": 3, )"
            R"("fingerprint": "00000000000000ff"})"
            "\n");
}

}  // namespace
}  // namespace twinset

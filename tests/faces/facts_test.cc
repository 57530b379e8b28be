// report.json: written facts are read back, byte for byte, and nothing else is accepted.
#include "faces/facts.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "faces/facts_testing.h"
#include "words/documents.h"

namespace twinset {
namespace {

std::string error_of(const std::string& json) {
  const Result<ReportFacts> read = read_report_facts(json, "x/report.json");
  return read.ok() ? "" : read.error().message;
}

/// `json` with its first `before` replaced.
std::string changed(std::string json, const std::string& before, const std::string& after) {
  const std::size_t at = json.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  return json.replace(at, before.size(), after);
}

TEST(Facts, AreReadBackAsTheyWereWritten) {
  for (const std::string& text : hostile_strings()) {
    const std::string json = report_json(facts_of(text));
    const Result<ReportFacts> read = read_report_facts(json, "report.json");
    ASSERT_TRUE(read.ok()) << read.error().message;
    ASSERT_EQ(report_json(read.value()), json) << text.substr(0, 80);
  }
}

TEST(Facts, HaveASchemaForEachObject) {
  const std::map<std::string, std::string> schemas = report_schemas();
  EXPECT_TRUE(schemas.contains("Report") && schemas.contains("ShownPair"));
  EXPECT_EQ(
      schemas.at("Fact"),
      R"({"type": "object", "properties": {"name": {"type": "string"}, "value": {"$ref": "#/components/schemas/Value"}, "note": {"type": "string"}}, "required": ["value"], "additionalProperties": false})");
  EXPECT_NE(schemas.at("PlotSeries").find(R"("items": {"type": "array", "prefixItems": [)"),
            std::string::npos);
  EXPECT_NE(schemas.at("Piece").find(R"("mark": {"enum": ["plain", "shared", )"),
            std::string::npos);
  const std::string to = "\"#/components/schemas/";
  std::size_t references = 0;
  for (const auto& [name, schema] : schemas) {
    for (std::size_t at = 0; (at = schema.find(to, at)) != std::string::npos; ++references) {
      at += to.size();
      const std::string of = schema.substr(at, schema.find('"', at) - at);
      EXPECT_TRUE(schemas.contains(of)) << name << " refers to " << of;
    }
  }
  EXPECT_GE(references, schemas.size() - 1);
}

TEST(Facts, KeepEveryField) {
  const Result<ReportFacts> read = read_report_facts(report_json(facts_of("a \"b\"\n")), "r");
  ASSERT_TRUE(read.ok()) << read.error().message;
  const ReportFacts& facts = read.value();
  EXPECT_EQ(facts.folder, "a \"b\"\n");
  ASSERT_EQ(facts.sections.size(), 5U);
  EXPECT_EQ(facts.sections[0].parts[2].color, Fate::lexical);
  EXPECT_EQ(facts.sections[1].histograms[0].bars[0].counts, (std::vector<std::uint64_t>{5, 3}));
  EXPECT_TRUE(facts.sections[1].histograms[1].logarithmic);
  EXPECT_EQ(facts.sections[1].tables[0].rows[0][2].whole, 3U);
  ASSERT_EQ(facts.sections[1].tiles.size(), 2U);
  EXPECT_EQ(facts.sections[1].tiles[0].link.section, "list");
  EXPECT_TRUE(facts.sections[1].tiles[1].link.empty());
  const Plot& plot = facts.sections[1].plots[0];
  EXPECT_TRUE(plot.logarithmic);
  EXPECT_EQ(plot.series[0].threshold, 10);
  ASSERT_EQ(plot.series[0].points.size(), 3U);
  EXPECT_EQ(plot.series[0].points[1].across, 2.5);
  EXPECT_EQ(plot.series[0].points[2].across, 5e9);
  const ListItem& item = facts.sections[2].list[0];
  EXPECT_EQ(item.documents[1].record, 1234U);
  EXPECT_EQ(item.facts[4].value.unit, Unit::share);
  EXPECT_EQ(item.facts[4].value.real, 0.79996);
  EXPECT_EQ(item.links[1].number, 2U);
  EXPECT_EQ(item.members.size(), 1U);
  EXPECT_EQ(facts.sections[3].graphs[0].edges[1].a, 2U);
  const PairRow& row = facts.sections[4].pairs[0].rows[0];
  ASSERT_FALSE(row.a.empty());
  EXPECT_EQ(row.a[0].mark, Mark::only);
}

TEST(Facts, ValuesAreWrittenWithTheirUnit) {
  EXPECT_EQ(value_text(Value::count(1234567)), "1,234,567");
  EXPECT_EQ(value_text(Value::percent(1, 3)), "33.3 %");
  EXPECT_EQ(value_text(Value::share(0.79996, 0.8)), "0.799");
  EXPECT_EQ(value_text(Value::bytes(2'500'000)), "2.5 MB");
  EXPECT_EQ(value_text(Value::seconds(12.5)), "12.5 s");
  EXPECT_EQ(value_text(Value::code("fss")), "fss");
}

TEST(Facts, EveryDamageIsAnErrorWithItsPlace) {
  const std::string json = report_json(facts_of("t"));
  const std::vector<std::pair<std::string, std::string>> damages = {
      {"\"twinset report 1\"", "\"twinset report 2\""},
      {"\"logarithmic\": true", "\"logarithmic\": 1"},
      {"\"record\": 1234", "\"record\": -1"},
      {"\"record\": 1234", "\"record\": 1.5"},
      {"\"record\": 1234", "\"record\": 1, \"record\": 2"},
      {"\"record\": 1234", "\"recorded\": 1234"},
      {"\"real\": 0.79996", "\"real\": 1e999"},
      {"\"real\": 0.79996", "\"real\": -0.5"},
      {"[2.5, 30]", "[2.5]"},
      {"[2.5, 30]", "[2.5, 30, 1]"},
      {"[2.5, 30]", "[2.5, -30]"},
      {"[2.5, 30]", "[2.5, 1e19]"},
      {"[2.5, 30]", "7"},
      {"\"unit\": \"count\"", "\"unit\": \"counts\""},
      {"\"mark\": \"only\"", "\"mark\": 2"},
      {"\"warnings\": [", "\"warnings\": [[], "},
      {"\"warnings\": [", "\"warnings\": {}, \"warning\": ["},
      {"\"sections\": [", "\"sections\": [7, "},
  };
  for (const auto& [before, after] : damages) {
    const std::string message = error_of(changed(json, before, after));
    EXPECT_TRUE(message.starts_with("x/report.json")) << after << ": " << message;
    const bool placed = message.find(", line ") != std::string::npos &&
                        message.find(", byte ") != std::string::npos;
    EXPECT_TRUE(placed || after.find("report 2") != std::string::npos) << message;
  }
  const std::string second = changed(json, "\"color\": \"near\"", "\"color\": \"pink\"");
  EXPECT_NE(error_of(second).find("\"pink\" is not a known word"), std::string::npos);
  const std::size_t byte = second.find("\"pink\"");
  EXPECT_NE(error_of(second).find(", byte " + std::to_string(byte) + ":"), std::string::npos);
}

TEST(Facts, WhatLeadsNowhereIsAnError) {
  const std::string json = report_json(facts_of("t"));
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"\"section\": \"pairs\"", "\"section\": \"pears\""},
      {"\"section\": \"pairs\", \"number\": 2", "\"section\": \"pairs\", \"number\": 3"},
      {"\"section\": \"pairs\", \"number\": 2", "\"section\": \"pairs\""},
      {"\"a\": 2, \"b\": 1", "\"a\": 3, \"b\": 1"},
      {"\"count\": 9, \"note\": \"t\", \"link\": {\"text\": \"t\", \"section\": \"list\"",
       "\"count\": 9, \"note\": \"t\", \"link\": {\"text\": \"t\", \"section\": \"lists\""},
      {"[2.5, 30]", "[0, 30]"},
      {"\"counts\": [5, 3]", "\"counts\": [5]"},
      {"\"columns\": [\"t\", ", "\"columns\": ["},
      {"\"name\": \"totals\"", "\"name\": \"list\""},
      {"\"name\": \"totals\"", "\"name\": \"to\\\"tals\""},
      {"\"name\": \"totals\"", "\"name\": \"\""},
      {"\"name\": \"list\", ", "\"name\": \"list\", \"side_by_side\": [{}], "},
  };
  for (const auto& [before, after] : faults) {
    const std::string message = error_of(changed(json, before, after));
    EXPECT_NE(message.find("x/report.json: section \""), std::string::npos)
        << after << ": " << message;
  }
}

TEST(Facts, AGraphTooLargeToLayOutIsAnError) {
  ReportFacts facts = facts_of("t");
  facts.sections[3].graphs[0].nodes.resize(1000);
  EXPECT_EQ(error_of(report_json(facts)), "");
  facts.sections[3].graphs[0].nodes.resize(1001);
  EXPECT_NE(error_of(report_json(facts)).find("too large to draw"), std::string::npos);
}

TEST(Facts, CutAnywhereAreAnErrorAndNoCrash) {
  const std::string json = report_json(facts_of("t"));
  for (std::size_t bytes = 0; bytes + 1 < json.size(); bytes += 7) {
    ASSERT_NE(error_of(json.substr(0, bytes)), "") << bytes;
  }
  for (const char* other : {"", "[]", "7", "{}", "null", "{\"format\": []}"}) {
    EXPECT_NE(error_of(other), "") << other;
  }
}

TEST(Facts, EveryFlippedByteIsReadOrAnErrorAndNoCrash) {
  const std::string json = report_json(facts_of("t"));
  std::size_t errors = 0;
  for (std::size_t at = 0; at < json.size(); at += 3) {
    std::string damaged = json;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 7)));
    errors += error_of(damaged).empty() ? 0 : 1;
  }
  EXPECT_GT(errors, json.size() / 12);
}

}  // namespace
}  // namespace twinset

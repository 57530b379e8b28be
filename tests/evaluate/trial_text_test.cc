#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluate/trial.h"
#include "io/json_read.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A report made by hand: five schemes, one with a long name, one without a plan.
TrialReport report() {
  TrialReport out;
  out.seen = 12'345;
  out.sampled_so = "3 passed over as too long";
  out.originals = 100;
  out.copies = 480;
  out.text_bytes = 1'500'000;
  out.pairs = 700;
  out.thresholds = {{1, 2}, {4, 5}};
  out.chosen = 1;
  out.containment = {9, 10};
  out.least_recall = 0.95;
  out.by_edit.assign(edits().size(), {20, 0.98765, 1});
  for (const char* name : {"fss", "minhash", "mod", "exact", "a_scheme_of_a_long_name"}) {
    SchemeTrial trial;
    trial.name = trial.given = name;
    trial.by_edit.assign(edits().size(), {2, 3});
    ThresholdTrial at;
    at.spec = std::string(name) + "(seed=0)";
    at.found = 123'456'789;
    at.recall = {{999'999, 1'000'000}, {0.9991, 0.9999}};
    at.precision = {{1, 3}, {0.1, 0.7}};
    trial.at = {at, at};
    out.schemes.push_back(trial);
  }
  out.schemes[3].at[1] = {};
  out.schemes[3].at[1].refusal = "no band plan finds it";
  LabelTrial labels;
  labels.name = "every pair";
  labels.measures.pair_recall = {1, 2};
  labels.measures.bytes = 1000;
  labels.measures.lost_bytes = 15;
  out.labels = {labels};
  out.labels_of =
      "all 7 documents with 2 labels; 1,234,567,890 without a label take no part, and so on.";
  out.verdict = "Take this one.";
  return out;
}

TEST(TrialTable, FitsAHundredColumnsAndNeverRoundsUp) {
  const std::string table = trial_table(report());
  EXPECT_THAT(table, HasSubstr("100 of 12345 documents sampled (3 passed over as too long), 480 "
                               "copies planted"));
  EXPECT_THAT(table, HasSubstr("at 0.8, your threshold: 1000000 pairs due"));
  EXPECT_THAT(table, HasSubstr("0.9999 .999-1.00  0.3333 .100-.700"));
  EXPECT_THAT(table, Not(HasSubstr("1.0000 .9")));
  EXPECT_THAT(table, HasSubstr("no plan for this threshold"));
  EXPECT_THAT(table, HasSubstr("exact: no band plan finds it"));
  EXPECT_THAT(table, HasSubstr("a_scheme_of_a_~"));
  EXPECT_THAT(table, HasSubstr("1.500 %"));
  EXPECT_THAT(table, HasSubstr("all 7 documents with 2 labels"));
  EXPECT_THAT(table, HasSubstr("\nTake this one.\n"));
  for (std::size_t at = 0; at < table.size();) {
    const std::size_t end = table.find('\n', at);
    ASSERT_NE(end, std::string::npos);
    EXPECT_LE(end - at, 100u) << table.substr(at, end - at);
    if (end > at) {
      EXPECT_NE(table[end - 1], ' ') << table.substr(at, end - at);
    }
    at = end + 1;
  }
}

TEST(TrialTable, SaysNothingOfLabelsWithoutThem) {
  TrialReport without = report();
  without.labels.clear();
  EXPECT_THAT(trial_table(without), Not(HasSubstr("labels")));
  EXPECT_THAT(trial_json(without, "[]"), Not(HasSubstr("\"labels\"")));
}

TEST(TrialJson, HasTheWholeReport) {
  const std::string json = trial_json(report(), R"([{"file": "a"}])");
  const auto read = read_json(json, "report");
  ASSERT_TRUE(read.ok()) << read.error().message;
  const JsonNode node = read.value();
  EXPECT_EQ(node["documents"].integer(), 12'345u);
  EXPECT_EQ(node["lost_inputs"].elements()[0]["file"].text(), "a");
  EXPECT_EQ(node["resemblance"].real(), 0.8);
  EXPECT_EQ(node["by_edit"]["ocr"]["planted"].integer(), 20u);
  EXPECT_EQ(node["measured"]["verdict"].text(), "Take this one.");
  const std::vector<JsonNode> schemes = node["schemes"].elements();
  ASSERT_EQ(schemes.size(), 5u);
  const JsonNode at = schemes[0]["thresholds"].elements()[1];
  EXPECT_EQ(at["resemblance"].real(), 0.8);
  EXPECT_EQ(at["recall"]["count"].integer(), 999'999u);
  EXPECT_EQ(at["recall"]["low"].real(), 0.9991);
  EXPECT_FALSE(at["passed_recall"]["value"]);
  EXPECT_EQ(schemes[0]["by_edit"]["ocr"]["of"].integer(), 3u);
  EXPECT_TRUE(schemes[0]["measured"]["join_microseconds"]);
  EXPECT_EQ(schemes[3]["thresholds"].elements()[1]["refused"].text(), "no band plan finds it");
  EXPECT_FALSE(schemes[3]["by_edit"]);
  const JsonNode labels = node["labels"].elements()[0];
  EXPECT_EQ(labels["name"].text(), "every pair");
  EXPECT_EQ(labels["lost_bytes"].integer(), 15u);
}

}  // namespace
}  // namespace twinset

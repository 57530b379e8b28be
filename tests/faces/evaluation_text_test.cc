#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/message.h"
#include "evaluate/edits.h"
#include "evaluate/verdict.h"
#include "io/json_read.h"

namespace twinset {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

/// An evaluation made by hand: a run and five schemes, one with a long name, one without a plan.
Evaluation evaluation() {
  Evaluation out;
  out.documents = 12'345;
  out.sampled_so = "3 passed over as too long";
  out.originals = 100;
  out.copies = 480;
  out.sample_bytes = 1'500'000;
  out.pairs = 700;
  out.thresholds = {{1, 2}, {4, 5}};
  out.chosen = 1;
  out.containment = {9, 10};
  out.least_recall = 0.95;
  out.common_documents = 17;
  out.common_least = 20;
  PartFamily kinds{"kind", "pairs", 0, {"natural", "planted", "other", "only contained"}};
  PartFamily labels_family{"label", "natural pairs", 4, {"one label", "two labels"}};
  PartFamily by_edit{"edit", "edit", 6, {}};
  for (const Edit& edit : edits()) {
    by_edit.labels.emplace_back(edit.name);
    out.edits.push_back({std::string(edit.name), 20, 0.98765, 1});
  }
  out.families = {kinds, labels_family, by_edit};
  std::vector<Share> parts(6 + edits().size());
  parts[0] = {2, 3, 0.1234, 0.9123};
  parts[6 + 21] = {999'999, 1'000'000, 0.9, 1};
  MethodEvaluation run;
  run.name = run.given = "dedup";
  run.run.emplace();
  run.run->plan = "finds 98.2 % of pairs";
  run.run->right = parts;
  run.run->wrong = {{"\"planted-17\"", "\"a\"", 0.79}};
  for (std::uint64_t i = 0; i < 7; ++i) run.run->missed.push_back({std::to_string(i), "99", 0.8});
  run.recall = parts;
  run.at.resize(2);
  run.at[1].spec = "fss(bins=256)";
  run.at[1].found = 41;
  run.at[1].recall = {6, 7, 0.4, 0.9};
  run.at[1].precision = {40, 41, 0.8, 1};
  out.methods.push_back(run);
  for (const char* name : {"fss", "minhash", "mod", "exact", "a_scheme_of_a_long_name"}) {
    MethodEvaluation method;
    method.name = method.given = name;
    method.recall = parts;
    method.cost.emplace();
    ThresholdEvaluation at;
    at.spec = std::string(name) + "(seed=0)";
    at.found = 123'456'789;
    at.recall = {999'999, 1'000'000, 0.9991, 0.9999};
    at.precision = {1, 3, 0.1, 0.7};
    at.passed_precision = {1, 3, 0.1, 0.7};
    method.at = {at, at};
    out.methods.push_back(method);
  }
  MethodEvaluation& exact = out.methods[4];
  exact.at[1] = {};
  exact.at[1].refusal = "no band plan finds it";
  exact.recall.clear();
  exact.cost.reset();
  LabelEvaluation labels;
  labels.name = "every pair";
  labels.accepted = "exact";
  labels.measures.pair_precision = {0, 5, 0, 0};
  labels.measures.pair_recall = {1, 2, 0.2, 0.8};
  labels.measures.bytes = 1000;
  labels.measures.lost_bytes = 15;
  labels.measures.lost_share = {0.015, 0, 0.5};
  labels.measures.adjusted_rand = {-0.25, -0.5, 0.25};
  out.labels = {labels};
  out.lost_inputs.push_back({"a", "truncated", "it ends early", 7, 1});
  out.labels_of =
      "all 7 documents with 2 labels; 1,234,567,890 without a label take no part, and so on.";
  return out;
}

// Pairs are found from 0.5 on, also if the user's threshold alone is reported.
TEST(EvaluationText, SaysFromWhichResemblancePairsAreCounted) {
  Evaluation run = evaluation();
  MethodEvaluation& method = run.methods.front();
  method.at = {method.at.at(run.chosen)};
  run.methods.resize(1);
  run.thresholds = {Ratio(4, 5)};
  run.chosen = 0;
  EXPECT_THAT(to_text(run),
              ContainsRegex("pairs[ \n]+of[ \n]+resemblance[ \n]+0\\.5[ \n]+or[ \n]+more"));
  run.thresholds = {Ratio(2, 5)};
  EXPECT_THAT(to_text(run),
              ContainsRegex("pairs[ \n]+of[ \n]+resemblance[ \n]+0\\.4[ \n]+or[ \n]+more"));
}

TEST(EvaluationText, FitsAHundredColumnsAndNeverRoundsUp) {
  const std::string table = to_text(evaluation());
  EXPECT_THAT(table, HasSubstr("100 of 12345 documents sampled (3 passed over as too long), 480 "
                               "copies planted"));
  EXPECT_THAT(table, HasSubstr("at 0.8, your threshold: 1000000 pairs due"));
  EXPECT_THAT(table, HasSubstr("0.9999 .999-1.00  0.3333 .100-.700"));
  EXPECT_THAT(table, Not(HasSubstr("1.0000 .9")));
  EXPECT_THAT(table, HasSubstr("no plan for this threshold"));
  EXPECT_THAT(table, HasSubstr("exact: no band plan finds it"));
  EXPECT_THAT(table, HasSubstr("a_scheme_of_a_~"));
  EXPECT_THAT(table, HasSubstr("0.0000 .000-.000 0.5000 .200-.800"));
  EXPECT_THAT(table, HasSubstr("-0.2500 -.50-.250"));
  EXPECT_THAT(table, HasSubstr("1.500 %  0.00-50.00"));
  EXPECT_THAT(table,
              HasSubstr("17 of the sampled documents are mostly text common to many: half or "
                        "more of their shingles are in 20\nothers."));
  EXPECT_THAT(table, HasSubstr("0.7900 \"planted-17\" and \"a\""));
  EXPECT_THAT(table,
              HasSubstr("0.8000 4 and 99\n... (" + switch_on("json") + " lists up to 100)\n"));
  EXPECT_THAT(table, Not(HasSubstr("0.8000 5 and 99")));
  EXPECT_THAT(table, HasSubstr("natural                3  0.6666 .123-.913"));
  EXPECT_THAT(table, Not(HasSubstr("two labels")));  // a family without pairs is left out
  EXPECT_THAT(table, HasSubstr("all 7 documents with 2 labels"));
  EXPECT_THAT(table, HasSubstr("\ndedup removed 41 documents, 1 of them wrongly, and"));
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

TEST(EvaluationText, SaysNothingOfLabelsWithoutThem) {
  Evaluation without = evaluation();
  without.labels.clear();
  EXPECT_THAT(to_text(without), Not(HasSubstr("labels")));
  EXPECT_THAT(to_json(without), Not(HasSubstr("\"labels\"")));
}

/// Two rows of queries.
QueryEvaluation queries() {
  QueryEvaluation out;
  out.documents = 6'046;
  out.queries = 1'896;
  out.with_partner = 733;
  out.label = "spam";
  out.cost = 100;
  QueryMeasures row;
  row.name = "imatch-1";
  row.accepted = "keys";
  row.found = 500;
  row.answered = 400;
  row.recall = {0.65999999, 0.6, 0.7};
  row.precision = {1, 0.9, 1};
  row.increase = 0;
  row.pure = {99, 100, 0.9, 1};
  row.wanted = 499;
  row.unwanted = 1;
  row.utility = {30.17, -1.5, 40};
  out.rows = {row};
  row.name = "a_scheme_of_a_long_name";
  row.recall.value = 0.8;
  row.increase = 0.2121;
  row.answered = 0;
  row.pure = {};
  out.rows.push_back(row);
  return out;
}

TEST(EvaluationText, QueriesAreMeansWithUtility) {
  Evaluation asked = evaluation();
  asked.queries = queries();
  asked.truth = "cosine:0.9";
  asked.due = "cosine 0.9 or more";
  const std::string table = to_text(asked);
  EXPECT_THAT(table, HasSubstr("each of 1896 documents labeled spam asks for its partners among"));
  EXPECT_THAT(table, HasSubstr("733\nhave a due one."));
  EXPECT_THAT(table,
              HasSubstr("imatch-1        keys     0.6599 .600-.700    +0 % 1.0000 .900-1.00"));
  EXPECT_THAT(table, HasSubstr(" +21 %      -"));
  EXPECT_THAT(table, HasSubstr("0.9900"));
  EXPECT_THAT(table, HasSubstr("30.17       -1.50 to 40.00"));
  EXPECT_THAT(table, HasSubstr("minus 100 times the others"));
  EXPECT_THAT(table, HasSubstr("Due are all pairs of cosine 0.9 or more."));
  EXPECT_THAT(table, HasSubstr("700\npairs of cosine 0.9 or more, found exactly."));
  EXPECT_THAT(table, Not(HasSubstr("Containment needs")));
  for (std::size_t at = 0; at < table.size();) {
    const std::size_t end = table.find('\n', at);
    EXPECT_LE(end - at, 100u) << table.substr(at, end - at);
    at = end + 1;
  }
  asked.queries->label.clear();
  EXPECT_THAT(to_text(asked), Not(HasSubstr("utility")));
}

TEST(EvaluationJson, HasTheQueries) {
  Evaluation asked = evaluation();
  asked.queries = queries();
  asked.truth = "cosine:0.9";
  const std::string json = to_json(asked);
  const auto read = read_json(json, "evaluation");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read.value()["truth"].text(), "cosine:0.9");
  const JsonNode node = read.value()["queries"];
  EXPECT_EQ(node["with_partner"].integer(), 733u);
  EXPECT_EQ(node["label"].text(), "spam");
  EXPECT_EQ(node["cost"].integer(), 100u);
  const JsonNode row = node["rows"].elements()[0];
  EXPECT_EQ(row["accepted"].text(), "keys");
  EXPECT_EQ(row["recall"]["low"].real(), 0.6);
  EXPECT_EQ(row["utility"]["value"].real(), 30.17);
  EXPECT_EQ(row["pure"]["count"].integer(), 99u);
  EXPECT_EQ(row["unwanted"].integer(), 1u);
  EXPECT_FALSE(node["rows"].elements()[1]["precision"]);
  EXPECT_THAT(to_json(evaluation()), Not(HasSubstr("\"queries\"")));
  EXPECT_THAT(to_json(evaluation()), Not(HasSubstr("\"truth\"")));
}

TEST(EvaluationText, AnEmptyOneIsRenderedToo) {
  EXPECT_THAT(to_text(Evaluation()), HasSubstr("0 of 0 documents sampled"));
  EXPECT_TRUE(read_json(to_json(Evaluation()), "evaluation").ok());
}

TEST(EvaluationJson, HasAllOfIt) {
  const std::string json = to_json(evaluation());
  const auto read = read_json(json, "evaluation");
  ASSERT_TRUE(read.ok()) << read.error().message;
  const JsonNode node = read.value();
  EXPECT_EQ(node["documents"].integer(), 12'345u);
  EXPECT_EQ(node["lost_inputs"].elements()[0]["file"].text(), "a");
  EXPECT_EQ(node["resemblance"].real(), 0.8);
  EXPECT_EQ(node["edits"]["ocr"]["planted"].integer(), 20u);
  EXPECT_EQ(node["measured"]["verdict"].text(),
            render_message(Door::plain, verdict_on(evaluation())));
  EXPECT_EQ(node["common_documents"].integer(), 17u);
  EXPECT_EQ(node["common_least"].integer(), 20u);
  const std::vector<JsonNode> methods = node["methods"].elements();
  ASSERT_EQ(methods.size(), 6u);
  const JsonNode run = methods[0];
  EXPECT_EQ(run["name"].text(), "dedup");
  ASSERT_EQ(run["thresholds"].elements().size(), 1u);
  EXPECT_EQ(run["thresholds"].elements()[0]["resemblance"].real(), 0.8);
  EXPECT_EQ(run["thresholds"].elements()[0]["precision"]["count"].integer(), 40u);
  EXPECT_EQ(run["wrong"].elements()[0]["document"].text(), "planted-17");
  EXPECT_EQ(run["missed"].elements().size(), 7u);
  EXPECT_EQ(run["right"]["kind"]["natural"]["of"].integer(), 3u);
  EXPECT_FALSE(run["cost"]);
  const JsonNode at = methods[1]["thresholds"].elements()[1];
  EXPECT_EQ(at["resemblance"].real(), 0.8);
  EXPECT_EQ(at["recall"]["count"].integer(), 999'999u);
  EXPECT_EQ(at["recall"]["low"].real(), 0.9991);
  EXPECT_FALSE(at["passed_recall"]["value"]);
  EXPECT_EQ(methods[1]["recall"]["edit"][edits()[21].name]["of"].integer(), 1'000'000u);
  EXPECT_TRUE(methods[1]["cost"]["measured"]["join_microseconds"]);
  EXPECT_EQ(methods[4]["thresholds"].elements()[1]["refused"].text(), "no band plan finds it");
  EXPECT_FALSE(methods[4]["recall"]);
  const JsonNode labels = node["labels"].elements()[0];
  EXPECT_EQ(labels["name"].text(), "every pair");
  EXPECT_EQ(labels["lost_bytes"].integer(), 15u);
  EXPECT_EQ(labels["pair_recall"]["low"].real(), 0.2);
  EXPECT_EQ(labels["adjusted_rand"]["low"].real(), -0.5);
}

}  // namespace
}  // namespace twinset

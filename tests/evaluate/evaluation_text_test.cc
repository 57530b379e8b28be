#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluate/evaluation.h"
#include "evaluate/tokens_for_tests.h"
#include "io/json_read.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A report made by hand: 2 of 3 due pairs found, one of three removals wrong.
EvaluationReport report() {
  EvaluationReport out;
  out.resemblance = {4, 5};
  out.originals = {1, 0, 2, 3};
  out.all = {"all", 40, 0.8765, {2, 3}, {2, 3}};
  out.by_edit = {{"exact", 30, 1.0, {1, 1}, {1, 1}}, {"move", 10, 0.5, {1, 2}, {1, 2}}};
  out.by_length = {{"<50 tokens", 0, 0, {}, {}}, {"1000+ tokens", 40, 0.8765, {2, 3}, {2, 3}}};
  out.wrong = {{7, 3, {1, 2}}};
  return out;
}

TEST(EvaluationTable, ShowsRowsWithCountsAndIntervals) {
  const std::string table = evaluation_table(report());
  EXPECT_THAT(table, HasSubstr("40 copies planted of 6 sampled originals (1 of <50, 0 of 50-199, "
                               "2 of 200-999, 3 of 1000+ tokens)"));
  EXPECT_THAT(table, HasSubstr("resemblance >= 0.8;"));
  EXPECT_THAT(table, HasSubstr("0.6666 0.208-0.939          2/3"));  // cut, not rounded
  EXPECT_THAT(table, HasSubstr("1.0000"));
  EXPECT_THAT(table, HasSubstr("removed below the threshold: 1\n"));
  EXPECT_THAT(table, Not(HasSubstr("<50 tokens")));  // an empty row says nothing
  for (std::size_t at = 0; at < table.size();) {
    const std::size_t end = table.find('\n', at);
    ASSERT_NE(end, std::string::npos);
    EXPECT_LE(end - at, 100u) << table.substr(at, end - at);
    at = end + 1;
  }
}

TEST(EvaluationTable, NeverRoundsUpToAll) {
  EvaluationReport almost = report();
  almost.all.recall = {999'999, 1'000'000};
  EXPECT_THAT(evaluation_table(almost), HasSubstr("0.9999 "));
}

TEST(EvaluationTable, SaysContainment) {
  EvaluationReport contained = report();
  contained.containment = Ratio(9, 10);
  EXPECT_THAT(evaluation_table(contained), HasSubstr("or containment >= 0.9;"));
  EXPECT_THAT(evaluation_json(contained, "[]"), HasSubstr("\"containment\": 0.9,"));
}

TEST(EvaluationJson, HasTheWholeReport) {
  const std::string json = evaluation_json(report(), R"([{"file": "a"}])");
  const auto read = read_json(json, "report");
  ASSERT_TRUE(read.ok()) << read.error().message;
  const JsonNode node = read.value();
  EXPECT_EQ(node["resemblance"].real(), 0.8);
  EXPECT_EQ(node["lost_inputs"].elements()[0]["file"].text(), "a");
  EXPECT_FALSE(node["containment"]);
  EXPECT_EQ(node["originals"]["200-999"].integer(), 2u);
  EXPECT_EQ(node["all"]["recall"]["of"].integer(), 3u);
  EXPECT_EQ(node["removed_below_threshold"].integer(), 1u);
  ASSERT_EQ(node["by_edit"].elements().size(), 2u);
  const JsonNode move = node["by_edit"].elements()[1];
  EXPECT_EQ(move["label"].text(), "move");
  EXPECT_EQ(move["planted"].integer(), 10u);
  EXPECT_EQ(move["mean_resemblance"].real(), 0.5);
  EXPECT_EQ(move["precision"]["value"].real(), 0.5);
  EXPECT_NEAR(move["recall"]["low"].real().value(), 0.0945, 1e-4);
  const JsonNode empty = node["by_length"].elements()[0];
  EXPECT_EQ(empty["recall"]["of"].integer(), 0u);
  EXPECT_FALSE(empty["recall"]["value"]);
  EXPECT_FALSE(empty["mean_resemblance"]);
}

}  // namespace
}  // namespace twinset

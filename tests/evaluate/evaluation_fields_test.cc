#include "evaluate/evaluation_fields.h"

#include <gtest/gtest.h>

#include "io/json_read.h"
#include "support/field_check.h"

namespace twinset {
namespace {

TEST(ShareFields, HaveAnIntervalIfThereIsATotal) {
  Share share{1, 4, 0.25, 0.5};
  EXPECT_EQ(fields_json(fields_of(share)),
            R"({"count": 1, "of": 4, "value": 0.25, "low": 0.25, "high": 0.5})");
  Share none;
  EXPECT_EQ(fields_json(fields_of(none)), R"({"count": 0, "of": 0})");
}

/// Every member has a value of its own; a run, and a scheme that cannot be made at 0.8.
Evaluation filled() {
  Evaluation made;
  made.thresholds = {Ratio(1, 2), Ratio(4, 5)};
  made.chosen = 1;
  made.containment = Ratio(9, 10);
  made.families = {{"kind", "pairs", 0, {"natural", "planted"}}, {"label", "pairs", 2, {"one"}}};
  made.methods.resize(2);
  MethodEvaluation& run = made.methods[0];
  run.run.emplace();
  run.run->right = run.recall = {{1, 2, 0.25, 0.75}, {}, {3, 3, 0.5, 1}};
  run.at.resize(2);
  run.at[1].spec = "fss(bins=256)";
  MethodEvaluation& scheme = made.methods[1];
  scheme.cost.emplace();
  scheme.at.resize(2);
  scheme.at[0].spec = "mod(modulus=16)";
  scheme.at[1].refusal = "no plan finds it";
  testing::fill_fields(fields_of(made));
  run.cost.reset();
  run.run->right[2] = {3, 3, 0.5, 1};
  return made;
}

TEST(EvaluationFields, OfMethodsAreAtTheThresholdsOfTheirEvaluation) {
  const std::string json = to_json(filled());
  const auto has = [&](const std::string& part) {
    EXPECT_NE(json.find(part), std::string::npos) << part << "\n" << json;
  };
  EXPECT_EQ(json.find("{\"documents\": 1, \"sampled_so\": "), 0U) << json;
  has(R"("resemblance": 0.8, "containment": 0.9, )");
  const auto read = read_json(json, "evaluation");
  ASSERT_TRUE(read.ok()) << read.error().message;
  const std::vector<JsonNode> methods = read.value()["methods"].elements();
  ASSERT_EQ(methods.size(), 2U);
  // A run has nothing to say of thresholds but the user's; nothing passes or costs in it.
  ASSERT_EQ(methods[0]["thresholds"].elements().size(), 1U);
  const JsonNode of_run = methods[0]["thresholds"].elements()[0];
  EXPECT_EQ(of_run["resemblance"].real(), 0.8);
  EXPECT_FALSE(of_run["passed"]);
  EXPECT_FALSE(of_run["passed_recall"]);
  EXPECT_FALSE(methods[0]["cost"]);
  EXPECT_EQ(methods[0]["wrong"].elements().size(), 2U);
  EXPECT_EQ(methods[0]["right"]["label"]["one"]["low"].real(), 0.5);
  EXPECT_TRUE(methods[0]["recall"]["kind"]["natural"]);
  EXPECT_FALSE(methods[0]["recall"]["kind"]["planted"]);
  const std::vector<JsonNode> of_scheme = methods[1]["thresholds"].elements();
  ASSERT_EQ(of_scheme.size(), 2U);
  EXPECT_EQ(of_scheme[0]["resemblance"].real(), 0.5);
  EXPECT_TRUE(of_scheme[0]["passed"]);
  EXPECT_TRUE(of_scheme[0]["common_keys"]);
  EXPECT_TRUE(of_scheme[1]["refused"]);
  EXPECT_FALSE(of_scheme[1]["found"]);
  EXPECT_FALSE(methods[1]["right"]);
  EXPECT_TRUE(methods[1]["cost"]["measured"]["work_microseconds"]);
}

TEST(EvaluationFields, LabelsAndQueriesAreThereIfAsked) {
  Evaluation made = filled();
  const std::string without = to_json(made);
  EXPECT_EQ(without.find("\"labels_of\""), std::string::npos);
  made.labels.resize(1);
  made.labels[0].stars = true;
  made.labels[0].measures.adjusted_rand = {-0.25, -0.5, 0.25};
  made.queries.emplace();
  made.queries->rows.resize(1);
  made.queries->rows[0].increase = 0;
  const auto with = [&] { return to_json(made); };
  EXPECT_NE(with().find(R"("as": "stars", "documents": 0, )"), std::string::npos);
  EXPECT_NE(with().find(R"("adjusted_rand": {"value": -0.25, "low": -0.5, "high": 0.25})"),
            std::string::npos);
  const std::string row =
      R"("rows": [{"name": "", "accepted": "", "found": 0, "answered": 0, "increase": 0, )"
      R"("pure": {"count": 0, "of": 0}, "one_label": {"count": 0, "of": 0}}])";
  EXPECT_NE(with().find(row), std::string::npos) << with();
  made.queries->with_partner = made.queries->rows[0].answered = 1;
  made.queries->label = "spam";
  for (const char* part : {R"("recall": {"value": 1, "low": 0, "high": 1}, "precision": {)",
                           R"("wanted": 0, "unwanted": 0, "utility": {"value": 1, )",
                           R"("label": "spam", "cost": 0, "rows": )"}) {
    EXPECT_NE(with().find(part), std::string::npos) << part << "\n" << with();
  }
}

}  // namespace
}  // namespace twinset

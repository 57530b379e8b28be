// A plan in words and as JSON: estimates with their intervals, counts without.
#include <gtest/gtest.h>
#include <simdjson.h>

#include "twinset/plan.h"

namespace twinset {
namespace {

Plan sampled_plan() {
  Plan plan;
  plan.read = plan.documents = 20'000'000;
  plan.text_bytes = 41'000'000'000;
  plan.scheme = "fss(...)";
  plan.key_share = 1.0 / 64;
  plan.sampled_documents = 123'456;
  plan.copies = {1'234'567, 1'230'000, 1'239'000};
  plan.candidate_pairs = {7'654'321, 7'000'000, 8'300'000};
  plan.pairs = {5'000'000, 4'500'000, 5'500'000};
  plan.removed = {3'000'000, 2'900'000, 3'100'000};
  plan.bins = {{0.5, 0.55, 0.02, 10, std::nullopt}, {0.8, 0.85, 0.5, 100, 200}};
  plan.costs = {{"read", 100, 200}, {"write", 50, 90}};
  return plan;
}

TEST(PlanText, EstimatesComeWithIntervalsAndThreeDigits) {
  const std::string text = to_text(sampled_plan());
  EXPECT_NE(text.find("predicted from 1 key in 64, those of 123,456 documents"), std::string::npos);
  EXPECT_NE(text.find("     1,234,600  copies folded, identical or lexical, 6.2 % (1,230,000 to "
                      "1,239,000)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("     3,000,000  documents removed, copies too, 15.0 % (2,900,000 to"),
            std::string::npos);
  EXPECT_NE(text.find("time     2 min 30 s: read 1 min 40 s, write 50.0 s"), std::string::npos)
      << text;
}

// An interval keeps its width in print, and numbers that the sample does not tell are not printed.
TEST(PlanText, NarrowIntervalsAndNoNumbers) {
  Plan plan = sampled_plan();
  plan.removed = {38'660, 38'655, 38'668};
  plan.clustered_documents = {5, 1, 9, false};
  const std::string text = to_text(plan);
  EXPECT_NE(text.find("(38,655 to 38,668)"), std::string::npos) << text;
  EXPECT_NE(text.find("             -  documents in clusters: not predictable here\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("time     2 min 30 s plus the unpredictable part:"), std::string::npos);
  EXPECT_NE(to_json(plan).find("\"clustered_documents\": null"), std::string::npos)
      << to_json(plan);
  EXPECT_NE(text.find("0.80 to 0.85"), std::string::npos);
  plan.bins.clear();  // As a plan has it whose candidates are not predictable.
  EXPECT_EQ(to_text(plan).find("0.80 to 0.85"), std::string::npos);
}

TEST(PlanText, PairsUnseenByTheSchemeAreNotGuessed) {
  const std::string text = to_text(sampled_plan());
  EXPECT_NE(text.find("0.50 to 0.55       2.0 %                10                 -\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("0.80 to 0.85      50.0 %               100               200\n"),
            std::string::npos);
}

TEST(PlanText, CountsStandAsTheyAre) {
  Plan plan = sampled_plan();
  plan.key_share = 1;
  plan.copies = {1'234'567, 1'234'567, 1'234'567};
  const std::string text = to_text(plan);
  EXPECT_NE(text.find("every key was looked at"), std::string::npos);
  EXPECT_NE(text.find("     1,234,567  copies folded, identical or lexical, 6.2 %\n"),
            std::string::npos);
}

TEST(PlanText, WithoutEstimatesNothingIsSaidOfRemovals) {
  Plan plan = sampled_plan();
  plan.estimates = false;
  plan.bins.clear();
  const std::string text = to_text(plan);
  EXPECT_EQ(text.find("documents removed"), std::string::npos);
  EXPECT_NE(text.find("do not estimate resemblance"), std::string::npos);
  EXPECT_EQ(to_json(plan).find("removed"), std::string::npos);
}

TEST(PlanJson, SaysTheSame) {
  simdjson::dom::parser parser;
  const std::string json = to_json(sampled_plan());
  simdjson::dom::element parsed;
  ASSERT_EQ(parser.parse(json).get(parsed), simdjson::SUCCESS) << json;
  EXPECT_EQ(double(parsed["key_share"]), 1.0 / 64);
  EXPECT_EQ(std::int64_t(parsed["predicted"]["removed"]["value"]), 3'000'000);
  EXPECT_EQ(std::int64_t(parsed["predicted"]["copies"]["low"]), 1'230'000);
  EXPECT_EQ(std::int64_t(parsed["costs"]["stages"]["write"]["seconds"]), 50);
  EXPECT_EQ(std::int64_t(parsed["costs"]["seconds"]), 150);
  EXPECT_EQ(simdjson::dom::array(parsed["by_resemblance"]).size(), 2U);
}

}  // namespace
}  // namespace twinset

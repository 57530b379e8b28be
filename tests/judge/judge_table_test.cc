#include "judge/judge_table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scheme/estimate.h"

namespace twinset {
namespace {

JudgedHeader header() {
  JudgedHeader header;
  header.source = "groups";
  header.by = JudgeBy::distance;
  header.sample = 200;
  header.categories = Categories::parse("same,different,unclear").value();
  header.classes = {{"0", 500, 200}, {"1", 90, 90}};
  header.sampled = 290;
  return header;
}

GivenVerdict verdict(int pair, const char* value, std::size_t category, const char* judge = "ann") {
  return {"pair " + std::to_string(pair), value, category, judge};
}

// S-21.
TEST(JudgeTable, UnclearIsLeftOutOfThePrecision) {
  const std::vector<GivenVerdict> verdicts{verdict(1, "0", 0), verdict(2, "0", 0),
                                           verdict(3, "0", 1), verdict(4, "0", 2),
                                           verdict(5, "1", 2)};
  const JudgedTables tables = count_verdicts(header(), verdicts);
  ASSERT_EQ(tables.judges.size(), 1U);
  const JudgedClass& zero = tables.judges[0].classes.at(0);
  EXPECT_EQ(zero.judged, 4U);
  EXPECT_EQ(zero.verdicts, (std::vector<std::uint64_t>{2, 1, 1}));
  ASSERT_TRUE(zero.precision.has_value());
  EXPECT_DOUBLE_EQ(zero.precision->value, 2.0 / 3);
  EXPECT_DOUBLE_EQ(zero.precision->low, wilson_interval(2, 3).low);
  EXPECT_DOUBLE_EQ(zero.precision->high, wilson_interval(2, 3).high);
  EXPECT_FALSE(tables.judges[0].classes.at(1).precision.has_value());
  EXPECT_TRUE(tables.agreements.empty());
}

// 003, section 6.3: 200 pairs of each distance give about 7 points to either side at one half.
// S-21.
TEST(JudgeTable, TwoHundredPairsGiveSevenPoints) {
  std::vector<GivenVerdict> verdicts;
  for (int i = 0; i < 200; ++i) verdicts.push_back(verdict(i, "0", i % 2 == 0 ? 0 : 1));
  const JudgedTables tables = count_verdicts(header(), verdicts);
  const Interval share = tables.judges[0].classes[0].precision.value();
  EXPECT_NEAR(share.low, 0.43, 0.005);
  EXPECT_NEAR(share.high, 0.57, 0.005);
}

// table 3 has 4 misc., 2 of JavaScript, 83 templates, 6 commercial and 5 possibly commercial
// chunks of 100. With two of the misc. ones unclear they are 98.
TEST(JudgeTable, LabelsHaveAShareOfEachCategory) {
  JudgedHeader of_labels = header();
  of_labels.kind = Judged::labels;
  of_labels.by.reset();
  of_labels.categories = Categories::parse(label_categories).value();
  of_labels.classes = {{"all", 2121, 100}};
  of_labels.sampled = 100;
  std::vector<GivenVerdict> verdicts;
  const std::vector<std::uint64_t> counts{6, 5, 83, 0, 4 + 2, 0};
  for (std::size_t category = 0; category < counts.size(); ++category) {
    for (std::uint64_t i = 0; i < counts[category]; ++i) {
      verdicts.push_back(verdict(static_cast<int>(verdicts.size()), "120000", category));
    }
  }
  const auto expect_shares = [](const JudgedTables& tables, const std::vector<std::uint64_t>& given,
                                double of) {
    const JudgedClass& all = tables.judges.at(0).classes.at(0);
    EXPECT_EQ(all.verdicts, given);
    ASSERT_EQ(all.shares.size(), 6U);
    for (std::size_t i = 0; i < 5; ++i) {
      const auto part = static_cast<double>(given[i]);
      EXPECT_DOUBLE_EQ(all.shares[i].value, part / of);
      EXPECT_DOUBLE_EQ(all.shares[i].low, wilson_interval(part, of).low);
      EXPECT_DOUBLE_EQ(all.shares[i].high, wilson_interval(part, of).high);
    }
  };
  expect_shares(count_verdicts(of_labels, verdicts), counts, 100);
  for (int last : {98, 99}) verdicts.push_back(verdict(last, "120000", 5));
  const JudgedTables tables = count_verdicts(of_labels, verdicts);
  expect_shares(tables, {6, 5, 83, 0, 4, 2}, 98);
  const std::string text = to_text(tables);
  EXPECT_NE(text.find("ann judged 100 of 100 labels sampled from groups"), std::string::npos);
  EXPECT_NE(text.find("83  0.847 [0.763, 0.905]  template"), std::string::npos) << text;
  EXPECT_NE(text.find("2  -                     unclear"), std::string::npos) << text;
  EXPECT_EQ(text.find("pair"), std::string::npos) << text;
  const std::string json = to_json(tables);
  EXPECT_NE(json.find("\"labels\": 2121"), std::string::npos) << json;
  EXPECT_NE(json.find("\"template\": {\"share\": 0.846939, "), std::string::npos) << json;
  EXPECT_EQ(json.find("precision"), std::string::npos) << json;
}

TEST(JudgeTable, TheLastVerdictOfAJudgeCounts) {
  const JudgedTables tables =
      count_verdicts(header(), std::vector<GivenVerdict>{verdict(1, "0", 1), verdict(1, "0", 0)});
  EXPECT_EQ(tables.judges[0].judged, 1U);
  EXPECT_EQ(tables.judges[0].classes[0].verdicts, (std::vector<std::uint64_t>{1, 0, 0}));
}

// S-21.
TEST(JudgeTable, TwoJudgesAgreeByKappa) {
  // J. Cohen's form by hand: 20 both same, 15 both different, 5 and 10 apart; of 50. The two say
  // same 25 and 30 times: by chance 0.5 x 0.6 + 0.5 x 0.4 = 0.5; seen 0.7; kappa 0.4.
  std::vector<GivenVerdict> verdicts;
  int pair = 0;
  const auto add = [&](int times, std::size_t a, std::size_t b) {
    for (int i = 0; i < times; ++i, ++pair) {
      verdicts.push_back(verdict(pair, "0", a, "ann"));
      verdicts.push_back(verdict(pair, "0", b, "bob"));
    }
  };
  add(20, 0, 0);
  add(5, 0, 1);
  add(10, 1, 0);
  add(15, 1, 1);
  verdicts.push_back(verdict(1000, "1", 0, "bob"));  // Ann has not judged it.
  const JudgedTables tables = count_verdicts(header(), verdicts);
  ASSERT_EQ(tables.judges.size(), 2U);
  ASSERT_EQ(tables.agreements.size(), 1U);
  const JudgeAgreement& found = tables.agreements[0];
  EXPECT_EQ(found.both, 50U);
  EXPECT_EQ(found.agreed, 35U);
  EXPECT_DOUBLE_EQ(found.share.value, 0.7);
  EXPECT_NEAR(found.kappa.value(), 0.4, 1e-12);
  EXPECT_NEAR(found.kappa_error, std::sqrt(0.7 * 0.3 / 50) / 0.5, 1e-12);
  const std::string text = to_text(tables);
  EXPECT_NE(text.find("ann and bob agree on 35 of 50 pairs: 0.700 [0.562, 0.809]; Cohen's kappa "
                      "0.400 +- 0.130\n"),
            std::string::npos)
      << text;
  EXPECT_NE(to_json(tables).find("\"kappa\": 0.4,"), std::string::npos);
}

TEST(JudgeTable, NoKappaIfBothKnowOneCategory) {
  const JudgedTables tables = count_verdicts(
      header(), std::vector<GivenVerdict>{verdict(1, "0", 0, "ann"), verdict(1, "0", 0, "bob")});
  ASSERT_EQ(tables.agreements.size(), 1U);
  EXPECT_FALSE(tables.agreements[0].kappa.has_value());
  EXPECT_NE(to_text(tables).find("no kappa"), std::string::npos);
  EXPECT_NE(to_json(tables).find("\"kappa\": null"), std::string::npos);
}

}  // namespace
}  // namespace twinset

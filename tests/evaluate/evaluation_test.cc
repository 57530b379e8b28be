#include "evaluate/evaluation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "evaluate/tokens_for_tests.h"

namespace twinset {
namespace {

const SplitAnalyzer analyzer;

EvaluationOptions small_options() {
  EvaluationOptions options;
  options.analyzer = &analyzer;
  options.clusters = {{{1, 2}, {2, 1}, {4, 1}, {8, 1}}};
  return options;
}

/// 40 texts of each length class, sentences and numbers among them.
void add_texts(OriginalSample& sample, std::uint64_t seed, bool backwards = false) {
  std::vector<std::string> texts;
  SeededRandom random(seed);
  for (const std::size_t words : {20u, 100u, 400u, 1'010u}) {
    for (int i = 0; i < 40; ++i) {
      std::string text = random_text(random, words, 100'000);
      for (std::size_t at = 40; at < text.size(); at += 60) {
        const std::size_t space = text.find(' ', at);
        if (space != std::string::npos) text.insert(space, 1, '.');
      }
      texts.push_back(std::move(text));
    }
  }
  if (backwards) std::reverse(texts.begin(), texts.end());
  for (const std::string& text : texts) sample.add(text, tokens_of(text).size());
}

EvaluationPlan make_plan(const EvaluationOptions& options, bool backwards = false) {
  OriginalSample sample(options);
  add_texts(sample, 1, backwards);
  auto plan = EvaluationPlan::make(options, std::move(sample));
  EXPECT_TRUE(plan.ok());
  return std::move(plan).value();
}

/// What an exact run does with the plan, documents in the plan's order.
std::vector<PlantedOutcome> exact_outcomes(const EvaluationPlan& plan) {
  std::vector<std::string> texts;
  std::vector<std::vector<std::uint64_t>> tokens;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    texts.push_back(plan.text(i));
    Analysis analysis;
    analyzer.analyze(texts.back(), Offsets::drop, analysis);
    tokens.push_back(analysis.tokens);
  }
  std::vector<OracleDocument> documents;
  for (std::size_t i = 0; i < plan.size(); ++i) documents.push_back({texts[i], tokens[i], false});
  OracleRules rules;
  rules.resemblance = plan.options().resemblance;
  rules.containment = plan.options().containment;
  const auto exact = decide_exactly(documents, rules);
  EXPECT_TRUE(exact.ok());
  std::vector<PlantedOutcome> outcomes(plan.size());
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const OracleDecision& decision = exact.value().decisions[i];
    outcomes[i].kept = decision.kept();
    if (!decision.kept()) outcomes[i].survivor = decision.survivor;
  }
  return outcomes;
}

const EvaluationRow& row(const std::vector<EvaluationRow>& rows, std::string_view label) {
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const EvaluationRow& each) { return each.label == label; });
  EXPECT_NE(found, rows.end()) << label;
  return *found;
}

TEST(LengthClass, HasItsBounds) {
  EXPECT_EQ(length_class_name(length_class(49)), "<50");
  EXPECT_EQ(length_class_name(length_class(50)), "50-199");
  EXPECT_EQ(length_class_name(length_class(199)), "50-199");
  EXPECT_EQ(length_class_name(length_class(200)), "200-999");
  EXPECT_EQ(length_class_name(length_class(999)), "200-999");
  EXPECT_EQ(length_class_name(length_class(1'000)), "1000+");
}

TEST(OriginalSample, IsTheSameInAnyOrderAndHoldsTextsOnce) {
  EvaluationOptions options = small_options();
  options.clusters = {{{1, 1}, {1, 0}, {1, 0}, {1, 0}}};  // 21 originals a class
  OriginalSample forward(options);
  OriginalSample backward(options);
  add_texts(forward, 1);
  add_texts(forward, 1);
  add_texts(backward, 1, true);
  for (const LengthClass length : {LengthClass::under_50, LengthClass::longer}) {
    EXPECT_EQ(forward.size(length), edits().size());
  }
  const auto a = EvaluationPlan::make(options, std::move(forward));
  const auto b = EvaluationPlan::make(options, std::move(backward));
  ASSERT_TRUE(a.ok() && b.ok());
  ASSERT_EQ(a.value().size(), b.value().size());
  for (std::size_t i = 0; i < a.value().size(); ++i) {
    ASSERT_EQ(a.value().text(i), b.value().text(i));
  }
}

TEST(OriginalSample, PassesOverWhatItCannotUse) {
  EvaluationOptions options = small_options();
  options.max_original_bytes = 10;
  OriginalSample sample(options);
  sample.add("", 0);
  sample.add("eleven bytes", 2);
  const auto plan = EvaluationPlan::make(options, std::move(sample));
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().code, ErrorCode::usage);
  options.analyzer = nullptr;
  OriginalSample other(options);
  other.add("text", 1);
  EXPECT_FALSE(EvaluationPlan::make(options, std::move(other)).ok());
}

TEST(EvaluationPlan, PlantsWhatItWasAskedTo) {
  const EvaluationPlan plan = make_plan(small_options());
  std::map<std::tuple<std::string_view, std::uint32_t, LengthClass>, int> copies;
  std::size_t originals = 0;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const PlantedTruth& truth = plan.truth(i);
    if (truth.edit == nullptr) {
      ++originals;
      EXPECT_EQ(truth.original, i);
      continue;
    }
    ++copies[{truth.edit->name, truth.copies, truth.length}];
    EXPECT_EQ(plan.truth(truth.original).edit, nullptr);
    if (truth.edit->name == "exact") {
      EXPECT_EQ(plan.text(i), plan.text(truth.original));
    }
    if (truth.edit->name == "header") {
      EXPECT_TRUE(plan.text(i).ends_with(plan.text(truth.original)));
    }
    EXPECT_EQ(plan.text(i), plan.text(i));
  }
  EXPECT_EQ(originals, 160u);
  EXPECT_EQ(copies.size(), edits().size() * 4 * 4);
  EXPECT_EQ((copies[{"ocr", 1, LengthClass::under_50}]), 2);
  EXPECT_EQ((copies[{"ocr", 8, LengthClass::longer}]), 8);
}

TEST(EvaluationPlan, StaysWithinItsBytes) {
  EvaluationOptions options = small_options();
  const std::size_t all = make_plan(options).size();
  options.max_planted_bytes = 400'000;
  const EvaluationPlan plan = make_plan(options);
  EXPECT_LT(plan.size(), all);
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < plan.size(); ++i) bytes += plan.text(i).size();
  EXPECT_LT(bytes, 500'000u);  // edits may add a little to what was counted
}

TEST(Measure, AnExactRunIsPerfect) {
  for (const bool containment : {false, true}) {
    EvaluationOptions options = small_options();
    if (containment) options.containment = Ratio(9, 10);
    const EvaluationPlan plan = make_plan(options);
    const auto outcomes = exact_outcomes(plan);
    const auto measured = measure(plan, outcomes, 2);
    ASSERT_TRUE(measured.ok());
    const EvaluationReport& report = measured.value();
    EXPECT_EQ(report.all.planted, plan.size() - 160);
    EXPECT_EQ(report.all.precision.count, report.all.precision.of);
    EXPECT_GT(report.all.precision.of, 500u);
    EXPECT_TRUE(report.wrong.empty());
    EXPECT_GT(report.all.recall.of, 500u);
    EXPECT_EQ(report.all.recall.count, report.all.recall.of);
    EXPECT_EQ(row(report.by_edit, "exact").mean_resemblance, 1);
    EXPECT_EQ(row(report.by_edit, "wrap").mean_resemblance, 1);
    EXPECT_LT(row(report.by_edit, "replace-10%").mean_resemblance, 0.7);
    std::uint64_t planted = 0;
    for (const EvaluationRow& each : report.by_length) planted += each.planted;
    EXPECT_EQ(planted, report.all.planted);
    planted = 0;
    for (const EvaluationRow& each : report.by_copies) planted += each.planted;
    EXPECT_EQ(planted, report.all.planted);
    planted = 0;
    for (const EvaluationRow& each : report.by_resemblance) planted += each.planted;
    EXPECT_EQ(planted, report.all.planted);
    // At 0.8 nothing below a resemblance of 0.8 is due.
    if (!containment) {
      EXPECT_EQ(row(report.by_resemblance, "0.70-0.80").recall.of, 0u);
    }
  }
}

// What is asked of a run depends on which of two it keeps: a cut copy is contained
// in its original, an original in its copy with a header.
TEST(Measure, AsksForContainmentOfTheOneThatGoes) {
  EvaluationOptions options = small_options();
  options.resemblance = Ratio(99, 100);
  options.containment = Ratio(9, 10);
  std::map<KeptOfTwo, EvaluationReport> reports;
  for (const KeptOfTwo kept : {KeptOfTwo::earlier, KeptOfTwo::larger, KeptOfTwo::smaller}) {
    options.kept = kept;
    const EvaluationPlan plan = make_plan(options);
    const std::vector<PlantedOutcome> none(plan.size());
    reports[kept] = measure(plan, none, 1).value();
  }
  const auto due = [&](KeptOfTwo kept, std::string_view edit) {
    return row(reports.at(kept).by_edit, edit).recall.of;
  };
  // The larger kept, all are contained in it; the smaller kept, few.
  EXPECT_GT(due(KeptOfTwo::larger, "cut-tail"), 50U);
  EXPECT_GT(due(KeptOfTwo::larger, "header"), 50U);
  EXPECT_LT(2 * due(KeptOfTwo::smaller, "cut-tail"), due(KeptOfTwo::larger, "cut-tail"));
  EXPECT_LT(due(KeptOfTwo::smaller, "header"), due(KeptOfTwo::larger, "header"));
  // The earlier one kept: that is the original or the copy, about as often.
  EXPECT_LE(due(KeptOfTwo::earlier, "cut-tail"), due(KeptOfTwo::larger, "cut-tail"));
}

TEST(Measure, CountsWhatWasMissedAndWhatWasWrong) {
  const EvaluationPlan plan = make_plan(small_options());
  std::vector<PlantedOutcome> outcomes(plan.size());
  // A run that finds identical copies only, and one header too many.
  std::uint32_t header = PlantedOutcome::outside;
  for (std::uint32_t i = 0; i < plan.size(); ++i) {
    const PlantedTruth& truth = plan.truth(i);
    if (truth.edit == nullptr) continue;
    if (truth.edit->name == "exact") outcomes[i] = {false, truth.original, {}};
    if (truth.edit->name == "header" && truth.length == LengthClass::under_50 &&
        header == PlantedOutcome::outside) {
      header = i;
      outcomes[i] = {false, truth.original, {}};
    }
  }
  const auto measured = measure(plan, outcomes, 1);
  ASSERT_TRUE(measured.ok());
  const EvaluationReport& report = measured.value();
  const EvaluationRow& exact = row(report.by_edit, "exact");
  EXPECT_EQ(exact.recall, (Share{exact.planted, exact.planted}));
  EXPECT_EQ(exact.precision, exact.recall);
  const EvaluationRow& lexical = row(report.by_edit, "case");
  EXPECT_EQ(lexical.recall, (Share{0, lexical.planted}));
  EXPECT_FALSE(lexical.precision.known());
  EXPECT_EQ(row(report.by_edit, "header").precision, (Share{0, 1}));
  ASSERT_EQ(report.wrong.size(), 1u);
  EXPECT_EQ(report.wrong[0].document, header);
  EXPECT_LT(report.wrong[0].resemblance.value(), 0.8);
}

TEST(Measure, ChecksSurvivors) {
  const EvaluationPlan plan = make_plan(small_options());
  std::vector<PlantedOutcome> outcomes(plan.size());
  std::uint32_t copy = 0;
  while (plan.truth(copy).edit == nullptr || plan.truth(copy).edit->name != "exact") ++copy;
  const std::uint32_t original = plan.truth(copy).original;
  // A survivor outside of the plan, given by its text.
  outcomes[copy] = {false, PlantedOutcome::outside, plan.text(copy)};
  EXPECT_EQ(measure(plan, outcomes, 1).value().all.precision, (Share{1, 1}));
  outcomes[copy].outside_text = "something else";
  EXPECT_EQ(measure(plan, outcomes, 1).value().all.precision, (Share{0, 1}));
  // A survivor that was itself removed proves nothing.
  outcomes[copy] = {false, original, {}};
  outcomes[original] = {false, copy, {}};
  EXPECT_EQ(measure(plan, outcomes, 1).value().all.precision, (Share{0, 2}));
  // Nonsense is refused.
  outcomes[copy].survivor = static_cast<std::uint32_t>(plan.size());
  EXPECT_FALSE(measure(plan, outcomes, 1).ok());
  outcomes.pop_back();
  EXPECT_FALSE(measure(plan, outcomes, 1).ok());
}

TEST(Measure, DoesNotDependOnThreads) {
  const EvaluationPlan plan = make_plan(small_options());
  const auto outcomes = exact_outcomes(plan);
  const auto one = measure(plan, outcomes, 1);
  const auto three = measure(plan, outcomes, 3);
  ASSERT_TRUE(one.ok() && three.ok());
  for (std::size_t i = 0; i < edits().size(); ++i) {
    const EvaluationRow& a = one.value().by_edit[i];
    const EvaluationRow& b = three.value().by_edit[i];
    EXPECT_EQ(a.mean_resemblance, b.mean_resemblance);
    EXPECT_EQ(a.recall, b.recall);
    EXPECT_EQ(a.precision, b.precision);
  }
}

}  // namespace
}  // namespace twinset

#include "evaluate/trial_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "evaluate/trial_for_tests.h"
#include "evaluate/trial_parts.h"
#include "support_runs/decision_oracle.h"

namespace twinset {
namespace {

/// A set whose documents are seen as a run sees them.
TrialSet words_set(std::uint64_t seed = 1, std::optional<Ratio> containment = {}) {
  TrialSetOptions options = small_options();
  options.analyzer = find_analyzer("words");
  options.least_copies = 150;
  options.containment = containment.value_or(options.containment);
  return TrialSet::make(options, small_sample(seed, 60)).value();
}

Evaluation evaluation_for(const TrialSet& set, const Ratio& resemblance = {4, 5}) {
  TrialOptions options;
  options.resemblance = resemblance;
  return start_evaluation(set, options);
}

RunDecisions nothing_removed(const TrialSet& set) {
  RunDecisions run;
  run.survivors.resize(set.documents().size());
  std::iota(run.survivors.begin(), run.survivors.end(), 0U);
  run.places = run.survivors;
  return run;
}

/// The decisions of an exact run over the set in its order.
RunDecisions exact_run(const TrialSet& set, const OracleRules& rules) {
  std::vector<OracleDocument> documents;
  for (const TrialDocument& each : set.documents()) {
    documents.push_back({each.text, each.analysis.tokens, false});
  }
  const auto exact = decide_exactly(documents, rules);
  EXPECT_TRUE(exact.ok());
  RunDecisions run = nothing_removed(set);
  for (std::size_t d = 0; d < documents.size(); ++d) {
    run.survivors[d] = exact.value().decisions[d].survivor;
  }
  return run;
}

MethodEvaluation judged(const TrialSet& set, const RunDecisions& run, const RunRules& rules = {},
                        const Ratio& resemblance = {4, 5}) {
  auto method = judge_run(set, run, rules, evaluation_for(set, resemblance), {});
  EXPECT_TRUE(method.ok());
  return std::move(method).value();
}

/// The worth of the decisions, pair by pair, by the definition.
struct SlowJudgment {
  Tally recall;
  Tally right;
};

SlowJudgment judge_slowly(const TrialSet& set, const RunDecisions& run, const Ratio& resemblance) {
  SlowJudgment out;
  const auto kept = [&](std::uint32_t d) { return run.survivors[d] == d; };
  for (const ExactPair& pair : every_pair(set)) {
    const bool due = pair.resemblance().at_least(resemblance);
    if (due) out.recall.add(!kept(pair.a) || !kept(pair.b));
    if (run.survivors[pair.a] == pair.b) out.right.add(due && kept(pair.b));
    if (run.survivors[pair.b] == pair.a) out.right.add(due && kept(pair.a));
  }
  return out;
}

TEST(JudgeRun, AnExactRunIsPerfect) {
  const TrialSet set = words_set();
  for (const bool containment : {false, true}) {
    OracleRules rules;
    if (containment) rules.containment = Ratio(9, 10);
    const MethodEvaluation method = judged(set, exact_run(set, rules), {rules.containment, {}});
    const ThresholdEvaluation& at = method.at[0];
    EXPECT_GT(at.recall.of, 100u);
    EXPECT_EQ(at.recall.count, at.recall.of);
    EXPECT_GT(at.found, 50u);
    EXPECT_EQ(tally(at.precision), (Tally{at.found, at.found}));
    EXPECT_TRUE(method.run->wrong.empty());
    EXPECT_TRUE(method.run->missed.empty());
    EXPECT_EQ(method.recall[pair_kinds].known(), containment);  // only contained
    EXPECT_EQ(method.recall[pair_kinds].count, method.recall[pair_kinds].of);
  }
}

// dedup itself; its numbers are counted a second time from all pairs of texts.
TEST(RunOnSet, EqualsADirectCount) {
  for (const Check check : {Check::exact, Check::sketch}) {
    const TrialSet set = words_set(2);
    DedupOptions options;
    options.verify = check;
    options.input.max_record = 1 << 20;
    const auto run = run_on_set(set, options, {}, RunControl{});
    ASSERT_TRUE(run.ok()) << run.error().message;
    EXPECT_TRUE(run.value().scheme.starts_with("fss("));
    const MethodEvaluation method = judged(set, run.value());
    const SlowJudgment slow = judge_slowly(set, run.value(), {4, 5});
    EXPECT_EQ(tally(method.at[0].recall), slow.recall);
    EXPECT_EQ(tally(method.at[0].precision), slow.right);
    EXPECT_EQ(method.run->wrong.size(), slow.right.of - slow.right.count);
    EXPECT_EQ(method.run->missed.size(), slow.recall.of - slow.recall.count);
    EXPECT_GT(slow.recall.of, 100u);
    if (check == Check::exact) {
      EXPECT_EQ(slow.right.count, slow.right.of);
    }
    // Shuffled: some copies come before their originals, and these are removed.
    bool original_goes = false;
    for (std::uint32_t d = 0; d < set.originals(); ++d) {
      original_goes = original_goes || run.value().survivors[d] >= set.originals();
    }
    EXPECT_TRUE(original_goes);
  }
}

TEST(RunOnTexts, KeepsTheOrderGiven) {
  SeededRandom random(1);
  const std::string text = random_text(random, 50, 1'000'000);
  const std::string other = random_text(random, 50, 1'000'000);
  const std::vector<std::string_view> texts = {other, text, text};
  DedupOptions options;
  options.input.max_record = 1 << 20;
  options.min_tokens = 1'000;  // of a collection; here no text is too short
  const auto run = run_on_texts(texts, options, {}, RunControl{});
  ASSERT_TRUE(run.ok()) << run.error().message;
  EXPECT_EQ(run.value().survivors, (std::vector<std::uint32_t>{0, 1, 1}));
  KeepRule newest{.by = KeepRule::By::field, .descending = true, .field = "date"};
  options.keep = "newest:date";
  EXPECT_EQ(run_on_texts(texts, options, newest, RunControl{}).value().survivors,
            run.value().survivors);
  options.scheme = "fsss";
  EXPECT_EQ(run_on_texts(texts, options, {}, RunControl{}).error().code, ErrorCode::usage);
  const std::atomic<bool> stop = true;
  options.scheme = "fss";
  EXPECT_EQ(run_on_texts(texts, options, {}, RunControl{&stop}).error().code,
            ErrorCode::interrupted);
}

// A run that finds identical copies only, and one header too many.
TEST(JudgeRun, CountsTheMissedAndTheWrong) {
  const TrialSet set = words_set();
  RunDecisions run = nothing_removed(set);
  std::uint32_t wrong = 0;
  std::uint64_t exact = 0;
  const TrialParts parts(set, {4, 5});
  for (std::uint32_t d = static_cast<std::uint32_t>(set.originals()); d < set.documents().size();
       ++d) {
    const TrialDocument& copy = set.documents()[d];
    const bool too_many = wrong == 0 && !set.planted_pair(d).resemblance().at_least({4, 5});
    if (copy.edit->name == "exact" || too_many) run.survivors[d] = copy.original;
    if (too_many) wrong = d;
    exact += copy.edit->name == "exact" ? 1 : 0;
  }
  ASSERT_GT(wrong, 0u);
  const MethodEvaluation method = judged(set, run);
  EXPECT_EQ(tally(method.at[0].precision), (Tally{exact, exact + 1}));
  ASSERT_EQ(method.run->wrong.size(), 1u);
  EXPECT_EQ(method.run->wrong[0].document,
            "\"planted-" + std::to_string(wrong - set.originals() + 1) + "\"");
  EXPECT_EQ(method.run->wrong[0].other, set.documents()[set.documents()[wrong].original].place.id);
  EXPECT_EQ(method.run->wrong[0].resemblance, set.planted_pair(wrong).resemblance().value());
  const SlowJudgment slow = judge_slowly(set, run, {4, 5});
  EXPECT_EQ(tally(method.at[0].recall), slow.recall);
  EXPECT_EQ(method.run->missed.size(),
            std::min<std::uint64_t>(slow.recall.of - slow.recall.count, 100));
  const std::size_t first = parts.families()[2].first;  // "exact"
  EXPECT_EQ(tally(method.recall[first]), (Tally{exact, exact}));
  EXPECT_EQ(tally(method.run->right[first]), (Tally{exact, exact}));
}

// A survivor that was itself removed proves nothing; one that the set lacks is refused.
TEST(JudgeRun, ChecksSurvivors) {
  const TrialSet set = words_set();
  RunDecisions run = nothing_removed(set);
  auto copy = static_cast<std::uint32_t>(set.originals());
  while (set.documents()[copy].edit->name != "exact") ++copy;
  const std::uint32_t original = set.documents()[copy].original;
  run.survivors[copy] = original;
  EXPECT_EQ(tally(judged(set, run).at[0].precision), (Tally{1, 1}));
  run.survivors[original] = copy;
  EXPECT_EQ(tally(judged(set, run).at[0].precision), (Tally{0, 2}));
  run.survivors[copy] = static_cast<std::uint32_t>(set.documents().size());
  EXPECT_EQ(judge_run(set, run, {}, evaluation_for(set), {}).error().code, ErrorCode::usage);
}

// Which pair is due depends on which document the run keeps: a cut copy is contained in its
// original, an original in its copy with a header.
TEST(JudgeRun, AsksForContainmentOfTheOneThatGoes) {
  const TrialSet set = words_set(1, Ratio(9, 10));
  const auto due = [&](const KeepRule& keep) {
    const MethodEvaluation method =
        judged(set, nothing_removed(set), {Ratio(9, 10), keep}, Ratio(99, 100));
    return method.recall[pair_kinds].of;
  };
  std::uint64_t larger_kept = 0;
  std::uint64_t smaller_kept = 0;
  std::uint64_t earlier_kept = 0;
  for (const ExactPair& pair : every_pair(set)) {
    if (pair.resemblance().at_least({99, 100})) continue;
    const bool a_in_b = pair.containment_a_in_b().at_least({9, 10});
    const bool b_in_a = pair.containment_b_in_a().at_least({9, 10});
    earlier_kept += b_in_a ? 1 : 0;
    larger_kept += (pair.a_size >= pair.b_size ? b_in_a : a_in_b) ? 1 : 0;
    smaller_kept += (pair.a_size <= pair.b_size ? b_in_a : a_in_b) ? 1 : 0;
  }
  EXPECT_EQ(due({.by = KeepRule::By::size, .descending = true}), larger_kept);
  EXPECT_EQ(due({.by = KeepRule::By::size, .descending = false}), smaller_kept);
  EXPECT_EQ(due({}), earlier_kept);
  EXPECT_GT(larger_kept, earlier_kept);
  EXPECT_GT(earlier_kept, smaller_kept);
}

// Under another truth a removal is right by it alone, contained or not.
TEST(JudgeRun, AnotherTruthAloneSaysWhichRemovalsAreRight) {
  TrialSetOptions options = small_options();
  options.truth = parse_truth("cosine:0.9").value();
  const TrialSet set =
      TrialSet::make(options, {sampled("a b c d e f g h i j k l", 0),
                               sampled("l k j i h g f e d c b a", 1), sampled("a b c d e f", 2)})
          .value();
  RunDecisions run = nothing_removed(set);
  run.survivors[1] = 0;  // cosine 1, resemblance 0
  run.survivors[2] = 0;  // contained, cosine .71
  const auto method = judge_run(set, run, {Ratio(9, 10), {}}, evaluation_for(set), {});
  ASSERT_TRUE(method.ok());
  const ThresholdEvaluation& at = method.value().at[0];
  EXPECT_EQ(tally(at.precision), (Tally{1, 2}));
  ASSERT_EQ(method.value().run->wrong.size(), 1u);
  EXPECT_EQ(method.value().run->wrong[0].document, "2");
}

}  // namespace
}  // namespace twinset

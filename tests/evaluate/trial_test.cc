#include "evaluate/trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "evaluate/trial_for_tests.h"
#include "join/held_pairs.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

TrialOptions options_of(std::vector<std::string> specs, unsigned threads = 1) {
  TrialOptions options;
  options.specs = std::move(specs);
  options.threads = threads;
  return options;
}

std::vector<std::string> all_specs() {
  auto specs = parse_scheme_list("all", {4, 5});
  EXPECT_TRUE(specs.ok());
  return std::move(specs).value();
}

Evaluation evaluation_of(const TrialSet& set, const TrialOptions& options) {
  Evaluation evaluation = start_evaluation(set, options);
  EXPECT_TRUE(try_schemes(set, options, evaluation).ok());
  return evaluation;
}

/// The sum of a family's parts.
Tally sum(const Evaluation& evaluation, std::size_t family, const MethodEvaluation& method) {
  Tally out;
  const PartFamily& parts = evaluation.families[family];
  for (std::size_t i = 0; i < parts.labels.size(); ++i) {
    if (parts.labels[i] == "only contained") continue;
    out.add(tally(method.recall[parts.first + i]));
  }
  return out;
}

/// The pairs that a scheme finds at a threshold, one by one, by the definition.
struct SlowTrial {
  std::uint64_t found = 0;
  std::uint64_t passed = 0;
  Tally recall;
  Tally passed_recall;
};

SlowTrial try_slowly(const TrialSet& set, const std::vector<ExactPair>& pairs,
                     const std::string& spec, const Ratio& threshold, std::uint64_t max_group) {
  const auto scheme = make_scheme(spec, threshold.value());
  EXPECT_TRUE(scheme.ok());
  std::vector<GivenView> views;
  for (const TrialDocument& document : set.documents()) {
    views.emplace_back(document.text, document.analysis, std::span<const std::uint64_t>(),
                       set.options().analyzer);
  }
  const SketchedDocuments sketched = sketch_documents(*scheme.value(), views, 1);
  const SharedKey meaning = scheme.value()->declaration().shared_key;
  std::map<std::uint64_t, std::uint64_t> holders;
  for (const auto& keys : sketched.keys) {
    for (const std::uint64_t key : keys) ++holders[key];
  }
  SlowTrial out;
  for (const ExactPair& pair : pairs) {
    const std::vector<std::uint64_t>& keys = sketched.keys[pair.b];
    const std::set<std::uint64_t> mine(keys.begin(), keys.end());
    bool shared = false;
    for (const std::uint64_t key : sketched.keys[pair.a]) {
      shared = shared ||
               (mine.contains(key) && (meaning != SharedKey::count || holders[key] <= max_group));
    }
    const auto estimate =
        scheme.value()->compare(sketched.stored[pair.a], sketched.stored[pair.b]).resemblance;
    const bool high = estimate && estimate->value >= threshold.value();
    const bool found = shared && (meaning != SharedKey::count || high);
    const bool passed = found && (meaning == SharedKey::equal || !estimate || high);
    out.found += found ? 1 : 0;
    out.passed += passed ? 1 : 0;
    if (!pair.resemblance().at_least(threshold)) continue;
    out.recall.add(found);
    out.passed_recall.add(passed);
  }
  return out;
}

TEST(TrySchemes, EqualsTheDefinitionForEveryScheme) {
  const TrialSet set = small_set(2, 40);
  const std::vector<ExactPair> pairs = every_pair(set);
  TrialOptions options = options_of(all_specs());
  options.max_group = 6;  // so that some keys are left out
  const Evaluation evaluation = evaluation_of(set, options);
  ASSERT_EQ(evaluation.methods.size(), schemes().size());
  ASSERT_EQ(evaluation.thresholds.size(), 4u);
  for (const MethodEvaluation& method : evaluation.methods) {
    for (std::size_t t = 0; t < evaluation.thresholds.size(); ++t) {
      const ThresholdEvaluation& at = method.at[t];
      if (!at.made()) continue;
      const SlowTrial slow =
          try_slowly(set, pairs, method.given, evaluation.thresholds[t], options.max_group);
      EXPECT_EQ(at.found, slow.found) << at.spec;
      EXPECT_EQ(at.passed, slow.passed) << at.spec;
      EXPECT_EQ(tally(at.recall), slow.recall) << at.spec;
      EXPECT_EQ(tally(at.passed_recall), slow.passed_recall) << at.spec;
      EXPECT_EQ(tally(at.precision), (Tally{slow.recall.count, slow.found})) << at.spec;
      EXPECT_EQ(tally(at.passed_precision), (Tally{slow.passed_recall.count, slow.passed}));
      EXPECT_LE(at.recall.low, at.recall.value());
      EXPECT_GE(at.recall.high, at.recall.value());
    }
  }
}

TEST(TrySchemes, PartsAddUp) {
  const TrialSet set = small_set();
  const Evaluation evaluation = evaluation_of(set, options_of(all_specs()));
  for (const MethodEvaluation& method : evaluation.methods) {
    // Not made: imatch, whose terms are of another analyzer.
    if (!method.at[evaluation.chosen].made()) continue;
    const Tally recall = tally(method.at[evaluation.chosen].recall);
    for (const std::size_t family : {0u, 3u, 4u, 5u}) {
      EXPECT_EQ(sum(evaluation, family, method), recall) << method.name;
    }
    EXPECT_EQ(sum(evaluation, 2, method),  // by edit
              tally(method.recall[static_cast<std::size_t>(PairKind::planted)]));
    EXPECT_GT(method.recall[pair_kinds].of, 0u);  // only contained
    EXPECT_DOUBLE_EQ(method.cost->bytes, method.cost->stored_bytes + 8 * method.cost->keys);
    EXPECT_GT(method.cost->microseconds, 0);
  }
  std::uint64_t planted = 0;
  for (const PlantedEdit& edit : evaluation.edits) planted += edit.planted;
  EXPECT_EQ(planted, evaluation.copies);
  EXPECT_DOUBLE_EQ(evaluation.edits.front().mean_resemblance, 1);  // "exact"
}

TEST(TrySchemes, FssFindsWhatItsPlanPromises) {
  const Evaluation evaluation = evaluation_of(small_set(3, 400), options_of({"fss"}));
  EXPECT_GT(evaluation.methods[0].at[evaluation.chosen].recall.of, 200u);
  EXPECT_GE(evaluation.methods[0].at[evaluation.chosen].recall.value(), 0.97);
}

TEST(TrySchemes, IsTheSameForAnyThreads) {
  const TrialSet set = small_set();
  const Evaluation one = evaluation_of(set, options_of(all_specs(), 1));
  const Evaluation three = evaluation_of(set, options_of(all_specs(), 3));
  for (std::size_t s = 0; s < one.methods.size(); ++s) {
    const MethodEvaluation& a = one.methods[s];
    const MethodEvaluation& b = three.methods[s];
    for (std::size_t part = 0; part < a.recall.size(); ++part) {
      EXPECT_EQ(tally(a.recall[part]), tally(b.recall[part]));
      EXPECT_EQ(a.recall[part].low, b.recall[part].low);
    }
    for (std::size_t t = 0; t < a.at.size(); ++t) {
      EXPECT_EQ(tally(a.at[t].recall), tally(b.at[t].recall));
      EXPECT_EQ(a.at[t].recall.low, b.at[t].recall.low);
      EXPECT_EQ(a.at[t].precision.high, b.at[t].precision.high);
      EXPECT_EQ(a.at[t].found, b.at[t].found);
    }
  }
}

TEST(TrySchemes, SaysWhereASchemeHasNoPlan) {
  TrialOptions options = options_of({"minhash(values=16)"});
  const Evaluation evaluation = evaluation_of(small_set(), options);
  EXPECT_EQ(evaluation.thresholds.front().value(), 0.5);
  std::size_t made = 0;
  for (const ThresholdEvaluation& at : evaluation.methods[0].at) {
    made += at.made() ? 1 : 0;
    EXPECT_EQ(at.made(), at.refusal.empty());
  }
  EXPECT_GT(made, 0u);
  options.keep_going = [] { return Status(Error{ErrorCode::interrupted, "stop"}); };
  const TrialSet set = small_set();
  Evaluation stopped = start_evaluation(set, options);
  EXPECT_EQ(try_schemes(set, options, stopped).error().code, ErrorCode::interrupted);
  const Evaluation refused = evaluation_of(small_set(), options_of({"nosuch", "fss"}));
  EXPECT_THAT(refused.methods[0].at[0].refusal, HasSubstr("no scheme"));
  EXPECT_TRUE(refused.methods[1].at[refused.chosen].made());
}

TEST(StartEvaluation, HasOneThresholdWithoutSchemes) {
  const TrialSet set = small_set();
  const Evaluation evaluation = start_evaluation(set, options_of({}));
  EXPECT_EQ(evaluation.thresholds, (std::vector<Ratio>{{4, 5}}));
  EXPECT_EQ(evaluation.chosen, 0u);
  EXPECT_EQ(evaluation.originals + evaluation.copies, set.documents().size());
}

TEST(TrialThresholds, HoldTheUsers) {
  const auto values = [](const Ratio& chosen) {
    std::vector<double> out;
    for (const Ratio& each : trial_thresholds(chosen)) out.push_back(each.value());
    return out;
  };
  EXPECT_EQ(values({4, 5}), (std::vector<double>{0.5, 0.7, 0.8, 0.9}));
  EXPECT_EQ(values({8, 10}), (std::vector<double>{0.5, 0.7, 0.8, 0.9}));
  EXPECT_EQ(values({3, 4}), (std::vector<double>{0.5, 0.7, 0.75, 0.8, 0.9}));
  EXPECT_EQ(values({1, 4}), (std::vector<double>{0.25, 0.5, 0.7, 0.8, 0.9}));
  EXPECT_EQ(values({1, 1}), (std::vector<double>{0.5, 0.7, 0.8, 0.9, 1}));
}

TEST(ParseSchemeList, SplitsOutsideOfBrackets) {
  const auto list = parse_scheme_list("fss,mod(shingle=5, modulus=16), exact", {4, 5});
  ASSERT_TRUE(list.ok());
  EXPECT_EQ(list.value(),
            (std::vector<std::string>{"fss", "mod(shingle=5, modulus=16)", " exact"}));
  EXPECT_EQ(trial_names({"fss", " mod(shingle=5)", "fss(bins=64)", "fss "}),
            (std::vector<std::string>{"fss-1", "mod", "fss-2", "fss-3"}));
  for (const char* wrong : {"", ",", "fss,", ",fss", "fss,,mod", "all,fss", "fsss", "mod(", "fss)",
                            "fss(bins=3)", " "}) {
    const auto refused = parse_scheme_list(wrong, {4, 5});
    ASSERT_FALSE(refused.ok()) << wrong;
    EXPECT_EQ(refused.error().code, ErrorCode::usage);
  }
}

}  // namespace
}  // namespace twinset

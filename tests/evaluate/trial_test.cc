#include "evaluate/trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "evaluate/trial_for_tests.h"
#include "evaluate/trial_sketches.h"

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

TrialReport report_of(const TrialSet& set, const TrialOptions& options) {
  TrialReport report = start_report(set, options);
  EXPECT_TRUE(try_schemes(set, options, report).ok());
  return report;
}

/// The sum of a family's parts.
Tally sum(const TrialReport& report, std::size_t family, const MethodTrial& trial) {
  Tally out;
  const PartFamily& parts = report.families[family];
  for (std::size_t i = 0; i < parts.labels.size(); ++i) {
    if (parts.labels[i] == "only contained") continue;
    out.add(trial.recall[parts.first + i].share);
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
  const TrialReport report = report_of(set, options);
  ASSERT_EQ(report.methods.size(), schemes().size());
  ASSERT_EQ(report.thresholds.size(), 4u);
  for (const MethodTrial& trial : report.methods) {
    for (std::size_t t = 0; t < report.thresholds.size(); ++t) {
      const ThresholdTrial& at = trial.at[t];
      if (!at.made()) continue;
      const SlowTrial slow =
          try_slowly(set, pairs, trial.given, report.thresholds[t], options.max_group);
      EXPECT_EQ(at.found, slow.found) << at.spec;
      EXPECT_EQ(at.passed, slow.passed) << at.spec;
      EXPECT_EQ(at.recall.share, slow.recall) << at.spec;
      EXPECT_EQ(at.passed_recall.share, slow.passed_recall) << at.spec;
      EXPECT_EQ(at.precision.share, (Tally{slow.recall.count, slow.found})) << at.spec;
      EXPECT_EQ(at.passed_precision.share, (Tally{slow.passed_recall.count, slow.passed}));
      EXPECT_LE(at.recall.interval.low, at.recall.share.value());
      EXPECT_GE(at.recall.interval.high, at.recall.share.value());
    }
  }
}

TEST(TrySchemes, PartsAddUp) {
  const TrialSet set = small_set();
  const TrialReport report = report_of(set, options_of(all_specs()));
  for (const MethodTrial& trial : report.methods) {
    const Tally& recall = trial.at[report.chosen].recall.share;
    for (const std::size_t family : {0u, 3u, 4u, 5u}) {
      EXPECT_EQ(sum(report, family, trial), recall) << trial.name;
    }
    EXPECT_EQ(sum(report, TrialParts::edit_family, trial),
              trial.recall[static_cast<std::size_t>(PairKind::planted)].share);
    EXPECT_GT(trial.recall[pair_kinds].share.of, 0u);  // only contained
    EXPECT_DOUBLE_EQ(trial.cost->bytes, trial.cost->stored_bytes + 8 * trial.cost->keys);
    EXPECT_GT(trial.cost->microseconds, 0);
  }
  std::uint64_t planted = 0;
  for (const EditTruth& truth : report.by_edit) planted += truth.planted;
  EXPECT_EQ(planted, report.copies);
  EXPECT_DOUBLE_EQ(report.by_edit.front().mean_resemblance, 1);  // "exact"
}

TEST(TrySchemes, FssFindsWhatItsPlanPromises) {
  const TrialReport report = report_of(small_set(3, 400), options_of({"fss"}));
  EXPECT_GT(report.methods[0].at[report.chosen].recall.share.of, 200u);
  EXPECT_GE(report.methods[0].at[report.chosen].recall.share.value(), 0.97);
}

TEST(TrySchemes, IsTheSameForAnyThreads) {
  const TrialSet set = small_set();
  const TrialReport one = report_of(set, options_of(all_specs(), 1));
  const TrialReport three = report_of(set, options_of(all_specs(), 3));
  for (std::size_t s = 0; s < one.methods.size(); ++s) {
    const MethodTrial& a = one.methods[s];
    const MethodTrial& b = three.methods[s];
    for (std::size_t part = 0; part < a.recall.size(); ++part) {
      EXPECT_EQ(a.recall[part].share, b.recall[part].share);
      EXPECT_EQ(a.recall[part].interval.low, b.recall[part].interval.low);
    }
    for (std::size_t t = 0; t < a.at.size(); ++t) {
      EXPECT_EQ(a.at[t].recall.share, b.at[t].recall.share);
      EXPECT_EQ(a.at[t].recall.interval.low, b.at[t].recall.interval.low);
      EXPECT_EQ(a.at[t].precision.interval.high, b.at[t].precision.interval.high);
      EXPECT_EQ(a.at[t].found, b.at[t].found);
    }
  }
}

TEST(TrySchemes, SaysWhereASchemeHasNoPlan) {
  TrialOptions options = options_of({"minhash(values=16)"});
  const TrialReport report = report_of(small_set(), options);
  EXPECT_EQ(report.thresholds.front().value(), 0.5);
  std::size_t made = 0;
  for (const ThresholdTrial& at : report.methods[0].at) {
    made += at.made() ? 1 : 0;
    EXPECT_EQ(at.made(), at.refusal.empty());
  }
  EXPECT_GT(made, 0u);
  options.keep_going = [] { return Status(Error{ErrorCode::interrupted, "stop"}); };
  const TrialSet set = small_set();
  TrialReport stopped = start_report(set, options);
  EXPECT_EQ(try_schemes(set, options, stopped).error().code, ErrorCode::interrupted);
  const TrialReport refused = report_of(small_set(), options_of({"nosuch", "fss"}));
  EXPECT_THAT(refused.methods[0].at[0].refusal, HasSubstr("no scheme"));
  EXPECT_TRUE(refused.methods[1].at[refused.chosen].made());
}

TEST(StartReport, HasOneThresholdWithoutSchemes) {
  const TrialSet set = small_set();
  const TrialReport report = start_report(set, options_of({}));
  EXPECT_EQ(report.thresholds, (std::vector<Ratio>{{4, 5}}));
  EXPECT_EQ(report.chosen, 0u);
  EXPECT_EQ(report.originals + report.copies, set.documents().size());
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

/// A report with two schemes of given recall (lower bound) and work.
TrialReport made_report(double low_a, double work_a, double low_b, double work_b) {
  TrialReport report;
  report.thresholds = {{4, 5}};
  report.containment = {9, 10};
  report.least_recall = 0.95;
  const auto add = [&](const char* name, double low, double work) {
    MethodTrial trial;
    trial.name = trial.given = name;
    ThresholdTrial at;
    at.spec = name;
    at.recall = {{static_cast<std::uint64_t>(low * 1000) + 5, 1000}, {low, 1}};
    trial.at = {at};
    trial.cost = SchemeCost{.work_microseconds = work};
    report.methods.push_back(trial);
  };
  add("first", low_a, work_a);
  add("second", low_b, work_b);
  return report;
}

TEST(TrialVerdict, TakesTheLeastWorkOfThoseThatFindEnough) {
  EXPECT_THAT(trial_verdict(made_report(0.96, 10, 0.99, 20)), HasSubstr("take first:"));
  EXPECT_THAT(trial_verdict(made_report(0.96, 30, 0.99, 20)), HasSubstr("take second:"));
  EXPECT_THAT(trial_verdict(made_report(0.94, 10, 0.99, 20)), HasSubstr("take second:"));
  const std::string none = trial_verdict(made_report(0.90, 10, 0.80, 2));
  EXPECT_THAT(none, HasSubstr("no scheme tried has a recall of at least 0.95"));
  EXPECT_THAT(none, HasSubstr("first has the highest, 90.5 % (from 90.0) of 1000 pairs"));
  // Of two that found as many pairs, the one with less work.
  EXPECT_THAT(trial_verdict(made_report(0.90, 10, 0.90, 2)), HasSubstr("second has the highest"));
  TrialReport empty = made_report(0.9, 1, 0.9, 1);
  for (MethodTrial& trial : empty.methods) trial.at[0].recall = {};
  EXPECT_THAT(trial_verdict(empty), HasSubstr("Nothing to choose by"));
}

TEST(TrialVerdict, SaysHowGoodTheRunIs) {
  TrialReport report = made_report(0.96, 10, 0.99, 20);
  MethodTrial run;
  run.name = "dedup";
  run.run.emplace();
  run.at.resize(1);
  run.at[0].spec = "fss()";
  run.at[0].recall = {{999, 1000}, {0.99, 1}};
  run.at[0].precision = {{39, 40}, {0.8, 1}};
  report.methods.insert(report.methods.begin(), run);
  const std::string both = trial_verdict(report);
  EXPECT_THAT(both,
              HasSubstr("dedup removed 40 documents, 1 of them wrongly, and resolved 99.9 % "
                        "(from 99.0) of 1000 pairs of resemblance 0.8 or more.\nAt 0.8 take "));
  report.methods.resize(1);
  EXPECT_THAT(trial_verdict(report), testing::EndsWith("0.8 or more."));
  report.methods[0].at[0].recall = {};
  EXPECT_THAT(trial_verdict(report), HasSubstr("no pair of resemblance 0.8 or more"));
}

TEST(TrialVerdict, SaysWhatContainmentNeeds) {
  TrialReport report = made_report(0.96, 10, 0.99, 20);
  EXPECT_THAT(trial_verdict(report), HasSubstr("Containment needs keys that are counted"));
  report.methods[1].shared_key = SharedKey::count;
  report.methods[1].recall.resize(pair_kinds + 1);
  report.methods[1].recall[pair_kinds].share = {9, 10};
  EXPECT_THAT(trial_verdict(report), HasSubstr("second finds 90.0 % of the 10 pairs"));
}

}  // namespace
}  // namespace twinset

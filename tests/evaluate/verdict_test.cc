#include "evaluate/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluate/trial_set.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

/// An evaluation of two schemes of given recall (lower bound) and work.
Evaluation made(double low_a, double work_a, double low_b, double work_b) {
  Evaluation evaluation;
  evaluation.thresholds = {{4, 5}};
  evaluation.containment = {9, 10};
  evaluation.least_recall = 0.95;
  const auto add = [&](const char* name, double low, double work) {
    MethodEvaluation method;
    method.name = method.given = name;
    ThresholdEvaluation at;
    at.spec = name;
    at.recall = {static_cast<std::uint64_t>(low * 1000) + 5, 1000, low, 1};
    method.at = {at};
    method.cost = SchemeCost{.work_microseconds = work};
    evaluation.methods.push_back(method);
  };
  add("first", low_a, work_a);
  add("second", low_b, work_b);
  return evaluation;
}

TEST(Verdict, TakesTheLeastWorkOfThoseThatFindEnough) {
  EXPECT_THAT(verdict_on(made(0.96, 10, 0.99, 20)), HasSubstr("take first:"));
  EXPECT_THAT(verdict_on(made(0.96, 30, 0.99, 20)), HasSubstr("take second:"));
  const Evaluation second = made(0.94, 10, 0.99, 20);
  EXPECT_THAT(verdict_on(second), HasSubstr("take second:"));
  EXPECT_EQ(second.choice(), &second.methods[1]);
  const std::string none = verdict_on(made(0.90, 10, 0.80, 2));
  EXPECT_EQ(made(0.90, 10, 0.80, 2).choice(), nullptr);
  EXPECT_THAT(none, HasSubstr("no scheme tried has a recall of at least 0.95"));
  EXPECT_THAT(none, HasSubstr("first has the highest, 90.5 % (from 90.0) of 1000 pairs"));
  // Of two that found as many pairs, the one with less work.
  EXPECT_THAT(verdict_on(made(0.90, 10, 0.90, 2)), HasSubstr("second has the highest"));
  Evaluation empty = made(0.9, 1, 0.9, 1);
  for (MethodEvaluation& method : empty.methods) method.at[0].recall = {};
  EXPECT_THAT(verdict_on(empty), HasSubstr("Nothing to choose by"));
}

TEST(Verdict, SaysHowGoodTheRunIs) {
  Evaluation evaluation = made(0.96, 10, 0.99, 20);
  MethodEvaluation run;
  run.name = "dedup";
  run.run.emplace();
  run.at.resize(1);
  run.at[0].spec = "fss()";
  run.at[0].recall = {999, 1000, 0.99, 1};
  run.at[0].precision = {39, 40, 0.8, 1};
  evaluation.methods.insert(evaluation.methods.begin(), run);
  const std::string both = verdict_on(evaluation);
  EXPECT_THAT(both,
              HasSubstr("dedup removed 40 documents, 1 of them wrongly, and resolved 99.9 % "
                        "(from 99.0) of 1000 pairs of resemblance 0.8 or more.\nAt 0.8 take "));
  evaluation.methods.resize(1);
  EXPECT_THAT(verdict_on(evaluation), ::testing::EndsWith("0.8 or more."));
  evaluation.methods[0].at[0].recall = {};
  EXPECT_THAT(verdict_on(evaluation), HasSubstr("no pair of resemblance 0.8 or more"));
}

TEST(Verdict, SaysWhatContainmentNeeds) {
  Evaluation evaluation = made(0.96, 10, 0.99, 20);
  EXPECT_THAT(verdict_on(evaluation), HasSubstr("Containment needs keys that are counted"));
  evaluation.methods[1].shared_key = SharedKey::count;
  evaluation.methods[1].recall.resize(pair_kinds + 1);
  evaluation.methods[1].recall[pair_kinds] = {9, 10, 0.5, 1};
  EXPECT_THAT(verdict_on(evaluation), HasSubstr("second finds 90.0 % of the 10 pairs"));
}

}  // namespace
}  // namespace twinset

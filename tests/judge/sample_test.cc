#include "judge/sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace twinset {
namespace {

SamplePair pair_of(std::uint64_t a, std::uint64_t b, std::uint64_t distance) {
  SamplePair pair;
  pair.a.document = {"a" + std::to_string(a), "in.jsonl", a};
  pair.b.document = {"b" + std::to_string(b), "in.jsonl", b};
  pair.value.distance = distance;
  return pair;
}

std::vector<SamplePair> some_pairs(std::uint64_t count) {
  std::vector<SamplePair> pairs;
  for (std::uint64_t i = 1; i <= count; ++i) pairs.push_back(pair_of(i + count, i, i % 3));
  return pairs;
}

Sample sample_of(const std::vector<SamplePair>& pairs, const PairSampleRule& rule) {
  Sampler sampler(rule);
  for (const SamplePair& pair : pairs) EXPECT_TRUE(sampler.add(pair).ok());
  return std::move(sampler).finish().value();
}

std::vector<std::string> names(const Sample& sample) {
  std::vector<std::string> out;
  for (const SamplePair& pair : sample.pairs) out.push_back(pair.identity());
  return out;
}

TEST(Sample, DoesNotDependOnTheOrderOfPairs) {
  std::vector<SamplePair> pairs = some_pairs(600);
  const PairSampleRule rule{JudgeBy::distance, 50, 1};
  const Sample first = sample_of(pairs, rule);
  std::mt19937 random(7);
  for (int i = 0; i < 5; ++i) {
    std::shuffle(pairs.begin(), pairs.end(), random);
    const Sample again = sample_of(pairs, rule);
    EXPECT_EQ(names(again), names(first));
    EXPECT_EQ(again.fingerprint(), first.fingerprint());
  }
  ASSERT_EQ(first.classes.size(), 3U);
  for (const SampleClass& of : first.classes) {
    EXPECT_EQ(of.pairs, 200U);
    EXPECT_EQ(of.sampled, 50U);
  }
  const Sample other = sample_of(pairs, {JudgeBy::distance, 50, 2});
  EXPECT_NE(names(other), names(first));
  EXPECT_NE(other.fingerprint(), first.fingerprint());
  // Written by this version on one machine, and the same on every other.
  EXPECT_EQ(names(sample_of(some_pairs(9), {{}, 2, 1})),
            (std::vector<std::string>{R"("in.jsonl":12 "in.jsonl":3 )",
                                      R"("in.jsonl":10 "in.jsonl":1 )"}));
}

TEST(Sample, IsWithoutReplacementAndALargerOneContainsIt) {
  const std::vector<SamplePair> pairs = some_pairs(300);
  const auto small = names(sample_of(pairs, {{}, 20, 1}));
  auto large = names(sample_of(pairs, {{}, 60, 1}));
  EXPECT_EQ(small.size(), 20U);
  EXPECT_TRUE(std::equal(small.begin(), small.end(), large.begin()));
  std::ranges::sort(large);
  EXPECT_EQ(std::unique(large.begin(), large.end()), large.end());
  // All pairs, if there are no more; one given twice counts twice and is kept once.
  std::vector<SamplePair> twice = some_pairs(4);
  twice.push_back(twice.front());
  const Sample all = sample_of(twice, {{}, 20, 1});
  EXPECT_EQ(all.pairs.size(), 4U);
  EXPECT_EQ(all.classes.front().pairs, 5U);
  EXPECT_EQ(all.classes.front().name, "all");
}

// S-21.
TEST(Sample, EachPairIsTakenWithTheSameChance) {
  const std::vector<SamplePair> pairs = some_pairs(50);
  std::map<std::string, double> taken;
  constexpr int seeds = 2000;
  for (int seed = 0; seed < seeds; ++seed) {
    for (const std::string& name :
         names(sample_of(pairs, {{}, 10, static_cast<std::uint64_t>(seed)}))) {
      ++taken[name];
    }
  }
  ASSERT_EQ(taken.size(), 50U);
  // 6.5 standard errors of a binomial: a false alarm in 2e8 runs.
  const double error = std::sqrt(seeds * 0.2 * 0.8);
  for (const auto& [name, times] : taken) EXPECT_NEAR(times, seeds * 0.2, 6.5 * error) << name;
}

TEST(Sample, ClassesOfValues) {
  const auto resemblance = [](std::string_view json) {
    return class_of(json, JudgeBy::resemblance).value_or("none");
  };
  EXPECT_EQ(resemblance("0"), "0.0-0.1");
  EXPECT_EQ(resemblance("0.0999"), "0.0-0.1");
  EXPECT_EQ(resemblance("0.1"), "0.1-0.2");
  EXPECT_EQ(resemblance("0.3"), "0.3-0.4");
  EXPECT_EQ(resemblance("0.7"), "0.7-0.8");
  EXPECT_EQ(resemblance("0.999999"), "0.9-1.0");
  EXPECT_EQ(resemblance("1"), "0.9-1.0");
  for (const char* none : {"1.1", "-0.1", "\"x\"", "null", "", "{"}) {
    EXPECT_EQ(resemblance(none), "none") << none;
  }
  EXPECT_EQ(class_of("12", JudgeBy::distance), "12");
  EXPECT_EQ(class_of("1.5", JudgeBy::distance), std::nullopt);
  EXPECT_EQ(class_of("\"near\"", JudgeBy::label), "near");
  EXPECT_EQ(class_of("\"\"", JudgeBy::label), std::nullopt);
  EXPECT_EQ(class_of("null", {}), "all");
  EXPECT_EQ(class_of("0", JudgeBy::count), "0");
  EXPECT_EQ(class_of("1", JudgeBy::count), "1-9");
  EXPECT_EQ(class_of("9", JudgeBy::count), "1-9");
  EXPECT_EQ(class_of("10", JudgeBy::count), "10-99");
  EXPECT_EQ(class_of("999999", JudgeBy::count), "100,000-999,999");
  EXPECT_EQ(class_of("9999999999999999999", JudgeBy::count),
            "1,000,000,000,000,000,000-9,999,999,999,999,999,999");
  EXPECT_EQ(class_of("10000000000000000000", JudgeBy::count), "10,000,000,000,000,000,000 or more");
  EXPECT_EQ(class_of("18446744073709551615", JudgeBy::count), "10,000,000,000,000,000,000 or more");
  EXPECT_EQ(class_of("\"chunk\"", JudgeBy::count), std::nullopt);
  EXPECT_TRUE(class_before("10-99", "100-999", JudgeBy::count));
  EXPECT_FALSE(class_before("1,000-9,999", "100-999", JudgeBy::count));
  EXPECT_TRUE(class_before("2", "10", JudgeBy::distance));
  EXPECT_TRUE(class_before("10", "2", JudgeBy::label));
}

TEST(Sample, ValuesAreWrittenAsTheyAreRead) {
  const PairValue value{3, 0.25, "ne\"ar"};
  EXPECT_EQ(value_json(value, JudgeBy::distance), "3");
  EXPECT_EQ(value_json(value, JudgeBy::resemblance), "0.25");
  EXPECT_EQ(value_json(value, JudgeBy::label), "\"ne\\\"ar\"");
  EXPECT_EQ(value_json(value, {}), "3");
  EXPECT_EQ(value_json({{}, 0.25, "x"}, {}), "0.25");
  EXPECT_EQ(value_json({{}, {}, "x"}, {}), "\"x\"");
  EXPECT_EQ(value_json({}, JudgeBy::distance), "null");
}

TEST(Sample, PairsThatCannotBeSampledAreRefused) {
  Sampler without({JudgeBy::distance, 5, 1});
  SamplePair pair = pair_of(2, 1, 0);
  pair.value = {};
  const Status refused = without.add(pair);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "a pair has no distance: a2 and b1");

  Sampler twice({JudgeBy::distance, 5, 1});
  ASSERT_TRUE(twice.add(pair_of(2, 1, 0)).ok());
  ASSERT_TRUE(twice.add(pair_of(2, 1, 4)).ok());
  const Result<Sample> two = std::move(twice).finish();
  ASSERT_FALSE(two.ok());
  EXPECT_NE(two.error().message.find("a2 and b1 is there with two values"), std::string::npos);

  Sampler many({JudgeBy::distance, 1, 1});
  for (std::uint64_t i = 0; i < 1000; ++i) ASSERT_TRUE(many.add(pair_of(i + 1, 1, i)).ok());
  EXPECT_FALSE(many.add(pair_of(2000, 1, 1000)).ok());
  EXPECT_TRUE(many.add(pair_of(2001, 1, 999)).ok());
}

TEST(Sample, IdentityNamesPlacesAndTextsById) {
  // Files and ids with the separators of the identity in them stay apart.
  EXPECT_NE(identity_of({"x", "a:1 ", 1}, {"y", "b", 1}),
            identity_of({"x", "a", 1}, {"y", "b", 1}));
  EXPECT_NE(identity_of({"x", "", 0}, {"y", "", 0}), identity_of({"x\"", "", 0}, {"y", "", 0}));
  EXPECT_EQ(identity_of({"x", "a", 1}, {"y", "b", 1}), identity_of({"", "a", 1}, {"", "b", 1}));
  SamplePair pair = pair_of(7, 3, 1);
  EXPECT_EQ(pair.names_json(), R"("a": {"id": "a7", "file": "in.jsonl", "record": 7}, )"
                               R"("b": {"id": "b3", "file": "in.jsonl", "record": 3})");
  pair.a.document.record = pair.b.document.record = 0;
  EXPECT_EQ(pair.names_json(), R"("a": {"id": "a7"}, "b": {"id": "b3"})");
}

}  // namespace
}  // namespace twinset

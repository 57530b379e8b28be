#include "evaluate/trial_set.h"

#include <gtest/gtest.h>

#include <map>

#include "evaluate/trial_for_tests.h"

namespace twinset {
namespace {

TEST(TrialSet, FindsEveryPair) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const TrialSet set = small_set(seed);
    std::vector<ExactPair> expected;
    for (std::uint32_t b = 0; b < set.documents().size(); ++b) {
      EXPECT_EQ(set.first_pair(b), expected.size());
      for (std::uint32_t a = 0; a < b; ++a) {
        const ExactPair pair = exact_pair(set, a, b);
        if (pair.resemblance().at_least({1, 2}) || larger_containment(pair).at_least({9, 10})) {
          expected.push_back(pair);
        }
      }
    }
    EXPECT_EQ(std::vector<ExactPair>(set.pairs().begin(), set.pairs().end()), expected);
    EXPECT_GT(expected.size(), 40u);
  }
}

TEST(TrialSet, KnowsItsCopies) {
  const TrialSet set = small_set();
  ASSERT_EQ(set.originals(), small_sample(1, 60).size());
  std::map<std::string_view, int> planted;
  for (std::uint32_t d = 0; d < set.documents().size(); ++d) {
    const TrialDocument& document = set.documents()[d];
    if (d < set.originals()) {
      EXPECT_EQ(document.edit, nullptr);
      EXPECT_EQ(document.original, d);
      EXPECT_EQ(document.length, length_class(document.analysis.tokens.size()));
      continue;
    }
    ASSERT_NE(document.edit, nullptr);
    ASSERT_LT(document.original, set.originals());
    EXPECT_EQ(document.length, set.documents()[document.original].length);
    EXPECT_EQ(set.planted_pair(d), exact_pair(set, document.original, d));
    if (document.edit->name == "exact") {
      EXPECT_EQ(document.text, set.documents()[document.original].text);
    }
    ++planted[document.edit->name];
  }
  EXPECT_EQ(planted.size(), edits().size());
}

TEST(TrialSet, TellsKindsApart) {
  const TrialSet set = small_set();
  std::array<int, pair_kinds> kinds{};
  for (const ExactPair& pair : set.pairs()) {
    const PairKind kind = set.kind(pair);
    ++kinds[static_cast<std::size_t>(kind)];
    const bool copies = pair.b >= set.originals();
    EXPECT_EQ(kind == PairKind::natural, !copies);
    EXPECT_EQ(kind == PairKind::planted, copies && set.documents()[pair.b].original == pair.a);
  }
  for (const int count : kinds) EXPECT_GT(count, 0);
}

TEST(TrialSet, ComponentsAreThoseOfThePairs) {
  const TrialSet set = small_set();
  for (const bool naturals_only : {false, true}) {
    std::vector<std::uint32_t> expected(set.documents().size());
    for (std::uint32_t d = 0; d < expected.size(); ++d) expected[d] = d;
    for (bool changed = true; changed;) {
      changed = false;
      for (const ExactPair& pair : set.pairs()) {
        if (naturals_only && pair.b >= set.originals()) continue;
        if (!pair.resemblance().at_least({4, 5})) continue;
        changed = changed || expected[pair.a] != expected[pair.b];
        expected[pair.a] = expected[pair.b] = std::min(expected[pair.a], expected[pair.b]);
      }
    }
    EXPECT_EQ(set.components({4, 5}, naturals_only), expected);
  }
}

TEST(TrialSet, IsTheSameForAnyThreads) {
  const TrialSet one = small_set(1, 60, 1);
  const TrialSet three = small_set(1, 60, 3);
  ASSERT_EQ(one.documents().size(), three.documents().size());
  for (std::size_t d = 0; d < one.documents().size(); ++d) {
    EXPECT_EQ(one.documents()[d].text, three.documents()[d].text);
  }
  EXPECT_TRUE(std::equal(one.pairs().begin(), one.pairs().end(), three.pairs().begin(),
                         three.pairs().end()));
  EXPECT_EQ(one.text_bytes(), three.text_bytes());
}

TEST(TrialSet, PlantsAsMuchAsItMay) {
  TrialSetOptions options = small_options();
  options.least_copies = 1'000;
  options.max_copy_bytes = 2'000;
  std::vector<SampledDocument> sample;
  sample.push_back(sampled(std::string(300, 'x'), 0));
  const auto set = TrialSet::make(options, sample);
  ASSERT_TRUE(set.ok());
  EXPECT_EQ(set.value().documents().size(), 1u + 6u);  // 6 * 300 <= 2,000
}

TEST(TrialSet, RefusesWhatItCannotDo) {
  EXPECT_EQ(TrialSet::make(small_options(), {}).error().code, ErrorCode::usage);
  EXPECT_EQ(TrialSet::make({}, small_sample(1, 3)).error().code, ErrorCode::usage);
  TrialSetOptions options = small_options();
  options.memory_bytes = 100;
  EXPECT_EQ(TrialSet::make(options, small_sample(1, 30)).error().code, ErrorCode::usage);
}

}  // namespace
}  // namespace twinset

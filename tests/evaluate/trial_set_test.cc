#include "evaluate/trial_set.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

#include "evaluate/trial_for_tests.h"

namespace twinset {
namespace {

TEST(LengthClass, HasItsBounds) {
  EXPECT_EQ(length_class_name(length_class(49)), "<50");
  EXPECT_EQ(length_class_name(length_class(50)), "50-199");
  EXPECT_EQ(length_class_name(length_class(199)), "50-199");
  EXPECT_EQ(length_class_name(length_class(200)), "200-999");
  EXPECT_EQ(length_class_name(length_class(999)), "200-999");
  EXPECT_EQ(length_class_name(length_class(1'000)), "1000+");
}

TEST(TrialSet, FindsEveryPair) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const TrialSet set = small_set(seed);
    std::vector<ExactPair> expected;
    for (const ExactPair& pair : every_pair(set)) {
      EXPECT_EQ(set.exact_pair(pair.a, pair.b), pair);
      const bool among =
          resemblance_truth({1, 2})->due(pair) || containment_truth({9, 10})->due(pair);
      EXPECT_EQ(set.find(pair.a, pair.b) != nullptr, among);
      if (among) expected.push_back(pair);
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
    EXPECT_EQ(set.planted_pair(d), set.exact_pair(document.original, d));
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
  std::vector<std::uint32_t> expected(set.documents().size());
  for (std::uint32_t d = 0; d < expected.size(); ++d) expected[d] = d;
  for (bool changed = true; changed;) {
    changed = false;
    for (const ExactPair& pair : set.pairs()) {
      if (!pair.resemblance().at_least({4, 5})) continue;
      changed = changed || expected[pair.a] != expected[pair.b];
      expected[pair.a] = expected[pair.b] = std::min(expected[pair.a], expected[pair.b]);
    }
  }
  EXPECT_EQ(set.components(*resemblance_truth({4, 5})), expected);
}

TEST(TrialSet, PlantsClustersOfSeveralSizes) {
  TrialSetOptions options = small_options();
  options.least_copies = 600;
  const TrialSet set = TrialSet::make(options, small_sample(3, 600)).value();
  ASSERT_GE(set.documents().size(), 2 * set.originals());
  std::map<std::uint32_t, std::map<const Edit*, std::size_t>> clusters;
  std::array<std::size_t, length_classes> copies{};
  for (std::size_t d = set.originals(); d < set.documents().size(); ++d) {
    const TrialDocument& copy = set.documents()[d];
    ++clusters[copy.original][copy.edit];
    ++copies[static_cast<std::size_t>(copy.length)];
  }
  std::map<std::size_t, std::size_t> sizes;
  std::size_t with_all_edits = 0;
  for (const auto& [original, by_edit] : clusters) {
    with_all_edits += by_edit.size() == edits().size() ? 1 : 0;
    if (by_edit.size() == 1) ++sizes[by_edit.begin()->second];
  }
  EXPECT_GT(sizes[1], 150u);
  EXPECT_GT(sizes[3], 20u);
  EXPECT_GT(sizes[10], 20u);
  // Texts of three length classes, with one large cluster each; copies are of all lengths.
  EXPECT_EQ(with_all_edits, 3u);
  for (std::size_t length = 0; length + 1 < length_classes; ++length)
    EXPECT_GT(copies[length], 30u);
}

// By hand: 14 documents are one page with some words of their own, 5 quote as many words of it but
// are longer, 40 have no part of it; then the definition itself, on strings.
TEST(TrialSet, CountsDocumentsThatAreMostlyCommonText) {
  SeededRandom random(5);
  const std::string page = random_text(random, 60, 1'000'000);
  std::vector<SampledDocument> sample;
  const auto add = [&](const std::string& text) { sample.push_back(sampled(text, sample.size())); };
  for (int i = 0; i < 14; ++i) add(page + " " + random_text(random, 40, 1'000'000));
  for (int i = 0; i < 5; ++i) add(page + " " + random_text(random, 90, 1'000'000));
  for (int i = 0; i < 40; ++i) add(random_text(random, 100, 1'000'000));
  const TrialSet set = TrialSet::make(small_options(), sample).value();
  EXPECT_EQ(set.common_least(), 10u);
  EXPECT_EQ(set.common_documents(), 14u);
  // Without one of eleven, each page's text is in only nine others.
  sample.erase(sample.begin(), sample.begin() + 9);
  EXPECT_EQ(TrialSet::make(small_options(), sample).value().common_documents(), 0u);

  const TrialSet mixed = small_set(9, 1'500);
  EXPECT_EQ(mixed.common_least(), (mixed.originals() + 99) / 100);
  const std::string all = random_text(random, 30, 50);
  for (const std::uint64_t seed : {1, 2, 3}) {
    std::vector<std::set<std::vector<std::string>>> sets;
    sample.clear();
    SeededRandom quotes(seed);
    for (int i = 0; i < 50; ++i) {
      const std::vector<std::string> words = words_of(all);
      std::string text;
      const std::uint64_t quoted = quotes.below(30);
      for (std::size_t w = 0; w < quoted; ++w) text += words[w] + " ";
      add(text + random_text(quotes, 1 + quotes.below(30), 1'000'000));
      sets.push_back(shingle_strings(sample.back().text, 5));
    }
    std::uint64_t expected = 0;
    for (const auto& mine : sets) {
      std::size_t common = 0;
      for (const auto& shingle : mine) {
        std::size_t holders = 0;
        for (const auto& theirs : sets) holders += theirs.count(shingle);
        common += holders - 1 >= 10 ? 1 : 0;
      }
      expected += 2 * common >= mine.size() ? 1 : 0;
    }
    EXPECT_GT(expected, 5u);
    EXPECT_EQ(TrialSet::make(small_options(), sample).value().common_documents(), expected);
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

// With a truth of its own the set has that truth's pairs, and still tells resemblances.
TEST(TrialSet, FindsThePairsOfAnotherTruth) {
  TrialSetOptions options = small_options();
  options.truth = parse_truth("cosine:0.9").value();
  const TrialSet set = TrialSet::make(options, small_sample(2, 60)).value();
  std::vector<std::span<const std::uint64_t>> tokens;
  for (const TrialDocument& each : set.documents()) tokens.emplace_back(each.analysis.tokens);
  const auto features = truth_features(*options.truth, tokens, 5, std::uint64_t{1} << 30).value();
  const auto truth = make_truth(*options.truth);
  std::vector<ExactPair> expected;
  std::uint64_t less_alike = 0;
  for (std::uint32_t b = 0; b < tokens.size(); ++b) {
    for (std::uint32_t a = 0; a < b; ++a) {
      const ExactPair pair = features.pair(a, b);
      if (!truth->due(pair)) continue;
      expected.push_back(pair);
      EXPECT_EQ(set.resemblance(pair).value(), set.exact_pair(a, b).resemblance().value());
      less_alike += set.resemblance(pair).at_least({1, 2}) ? 0 : 1;
    }
  }
  EXPECT_TRUE(std::equal(set.pairs().begin(), set.pairs().end(), expected.begin(), expected.end()));
  EXPECT_GT(less_alike, 0u);  // shuffled copies: no resemblance finds these
  EXPECT_TRUE(set.truth({4, 5})->due(expected[0]));
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
  options = small_options();
  options.keep_going = [] { return Status(Error{ErrorCode::interrupted, "stop"}); };
  EXPECT_EQ(TrialSet::make(options, small_sample(1, 30)).error().code, ErrorCode::interrupted);
}

}  // namespace
}  // namespace twinset

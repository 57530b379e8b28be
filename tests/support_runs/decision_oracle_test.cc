#include "support_runs/decision_oracle.h"

#include <gtest/gtest.h>

#include "evaluate/tokens_for_tests.h"

namespace twinset {
namespace {

void expect_fraction(const Fraction& fraction, std::uint64_t numerator, std::uint64_t denominator) {
  EXPECT_EQ(fraction.numerator, numerator);
  EXPECT_EQ(fraction.denominator, denominator);
}

std::vector<OracleDocument> documents_of(const Corpus& corpus) {
  std::vector<OracleDocument> out;
  for (std::size_t i = 0; i < corpus.texts.size(); ++i) {
    out.push_back({corpus.texts[i], corpus.tokens[i], false});
  }
  return out;
}

/// The definition, by recursion: kept unless some kept one ahead has an edge.
bool kept_by_definition(std::size_t d, const std::vector<std::vector<bool>>& edge,
                        std::vector<int>& known) {
  if (known[d] >= 0) return known[d] == 1;
  bool kept = true;
  for (std::size_t e = 0; e < d && kept; ++e) {
    if (edge[d][e] && kept_by_definition(e, edge, known)) kept = false;
  }
  known[d] = kept ? 1 : 0;
  return kept;
}

TEST(DecideExactly, EqualToTheDefinitionInAnyOrder) {
  SeededRandom random(99);
  std::uint64_t near = 0;
  std::uint64_t contained = 0;
  for (std::uint64_t seed = 100; seed < 130; ++seed) {
    std::vector<std::string> texts = related_texts(seed, 60);
    for (std::size_t i = texts.size(); i > 1; --i) {
      std::swap(texts[i - 1], texts[random.below(i)]);
    }
    const Corpus corpus(std::move(texts));
    OracleRules rules;
    rules.shingle_tokens = 2;
    rules.resemblance = seed % 2 == 0 ? Ratio(1, 2) : Ratio(4, 5);
    if (seed % 3 == 0) rules.containment = Ratio(9, 10);
    const auto documents = documents_of(corpus);
    const auto outcome = decide_exactly(documents, rules);
    ASSERT_TRUE(outcome.ok());

    const std::size_t n = documents.size();
    std::vector<std::vector<bool>> edge(n, std::vector<bool>(n));
    for (std::size_t d = 0; d < n; ++d) {
      const auto later = shingle_strings(corpus.texts[d], 2);
      for (std::size_t e = 0; e < d; ++e) {
        const auto ahead = shingle_strings(corpus.texts[e], 2);
        const std::uint64_t shared = shared_strings(later, ahead);
        const bool resembles =
            shared * rules.resemblance.denominator() >=
            (later.size() + ahead.size() - shared) * rules.resemblance.numerator();
        const bool within = rules.containment && shared * rules.containment->denominator() >=
                                                     later.size() * rules.containment->numerator();
        edge[d][e] = corpus.texts[d] == corpus.texts[e] ||
                     (!later.empty() && !ahead.empty() && (resembles || within));
      }
    }
    std::vector<int> known(n, -1);
    for (std::uint32_t d = 0; d < n; ++d) {
      const OracleDecision& decision = outcome.value().decisions[d];
      ASSERT_EQ(decision.kept(), kept_by_definition(d, edge, known)) << "document " << d;
      if (decision.kept()) continue;
      EXPECT_TRUE(outcome.value().decisions[decision.survivor].kept());
      near += decision.fate == Fate::near;
      contained += decision.fate == Fate::contained;
      if (decision.representative != d) continue;
      // The survivor is the first kept one with an edge.
      std::uint32_t first = 0;
      while (!(edge[d][first] && kept_by_definition(first, edge, known))) ++first;
      EXPECT_EQ(decision.survivor, first);
    }
    // Recall and precision of the exact decisions are 1 by construction.
    std::vector<bool> kept;
    std::vector<ClaimedRemoval> removals;
    for (std::uint32_t d = 0; d < n; ++d) {
      const OracleDecision& decision = outcome.value().decisions[d];
      kept.push_back(decision.kept());
      if (!decision.kept()) removals.push_back({d, decision.survivor});
    }
    const Tally recall = recall_at(outcome.value().pairs, kept, rules.resemblance);
    EXPECT_EQ(recall.count, recall.of);
    EXPECT_GT(recall.of, 0u);
    const RemovalCheck check = check_removals(documents, removals, rules);
    EXPECT_EQ(check.right.count, removals.size());
    EXPECT_TRUE(check.wrong.empty());
  }
  EXPECT_GT(near, 100u);
  EXPECT_GT(contained, 10u);
}

TEST(DecideExactly, FoldsThenDecides) {
  // r(0,3): 9 of 10 one-word shingles... by hand: texts of ten words, one differing.
  const Corpus corpus({"a b c d e f g h i j",   // 0 kept
                       "a  b c d e f g h i j",  // 1 lexical copy of 0
                       "a b c d e f g h i j",   // 2 identical copy of 0
                       "a b c d e f g h i x",   // 3 near 0: 9 of 11
                       "a b c d e f g h  i x",  // 4 lexical copy of 3: gets 3's survivor
                       "", "", " ",             // 5 kept, 6 identical, 7 kept: no tokens
                       "q r s"});               // 8 kept
  OracleRules rules;
  rules.shingle_tokens = 1;
  rules.resemblance = {9, 11};
  const auto outcome = decide_exactly(documents_of(corpus), rules);
  ASSERT_TRUE(outcome.ok());
  const auto& decisions = outcome.value().decisions;
  const std::vector<Fate> expected = {Fate::kept,      Fate::lexical, Fate::identical,
                                      Fate::near,      Fate::near,    Fate::kept,
                                      Fate::identical, Fate::kept,    Fate::kept};
  for (std::size_t d = 0; d < expected.size(); ++d) {
    EXPECT_EQ(decisions[d].fate, expected[d]) << "document " << d;
  }
  EXPECT_EQ(decisions[4].survivor, 0u);
  EXPECT_EQ(decisions[4].representative, 3u);
  expect_fraction(decisions[4].resemblance, 9, 11);
  expect_fraction(decisions[3].containment, 9, 10);
  expect_fraction(decisions[1].resemblance, 1, 1);
  EXPECT_EQ(outcome.value().clusters(),
            (std::vector<std::vector<std::uint32_t>>{{0, 1, 2, 3, 4}, {5, 6}}));
  // Slightly above 9/11 keeps both.
  rules.resemblance = {9'000'001, 11'000'000};
  const auto stricter = decide_exactly(documents_of(corpus), rules);
  ASSERT_TRUE(stricter.ok());
  EXPECT_TRUE(stricter.value().decisions[3].kept());
  EXPECT_EQ(stricter.value().decisions[4].fate, Fate::lexical);
}

TEST(DecideExactly, StarsAreNoChains) {
  // 0-1 and 1-2 resemble each other, 0-2 do not: 1 goes, 2 stays.
  const Corpus corpus({"a b c d e f g h", "c d e f g h i j", "e f g h i j k l"});
  OracleRules rules;
  rules.shingle_tokens = 1;
  rules.resemblance = {1, 2};
  const auto outcome = decide_exactly(documents_of(corpus), rules);
  ASSERT_TRUE(outcome.ok());
  EXPECT_TRUE(outcome.value().decisions[0].kept());
  EXPECT_EQ(outcome.value().decisions[1].survivor, 0u);
  EXPECT_TRUE(outcome.value().decisions[2].kept());
}

TEST(DecideExactly, ReferencesStayAndOthersGoForThem) {
  const Corpus corpus({"a b c d e", "a b c d e", "a b c d e f", "a b c d e", "a b c d e g"});
  auto documents = documents_of(corpus);
  documents[0].reference = documents[1].reference = documents[2].reference = true;
  OracleRules rules;
  rules.shingle_tokens = 1;
  const auto outcome = decide_exactly(documents, rules);
  ASSERT_TRUE(outcome.ok());
  for (const std::size_t reference : {0u, 1u, 2u}) {
    EXPECT_TRUE(outcome.value().decisions[reference].kept());
  }
  EXPECT_EQ(outcome.value().decisions[3].fate, Fate::identical);
  EXPECT_EQ(outcome.value().decisions[4].fate, Fate::near);
  EXPECT_EQ(outcome.value().decisions[4].survivor, 0u);
}

TEST(DecideExactly, ContainmentLooksAhead) {
  const Corpus corpus({"a b c d e f g h i j", "c d e f", "a b", "c d x y z"});
  OracleRules rules;
  rules.shingle_tokens = 2;
  rules.containment = Ratio(1, 1);
  const auto outcome = decide_exactly(documents_of(corpus), rules);
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome.value().decisions[1].fate, Fate::contained);
  expect_fraction(outcome.value().decisions[1].containment, 3, 3);
  expect_fraction(outcome.value().decisions[1].survivor_containment, 3, 9);
  EXPECT_EQ(outcome.value().decisions[2].fate, Fate::contained);
  EXPECT_TRUE(outcome.value().decisions[3].kept());
  // The other way round the long one is not contained in the short one.
  const Corpus reversed({"c d e f", "a b c d e f g h i j"});
  const auto other = decide_exactly(documents_of(reversed), rules);
  ASSERT_TRUE(other.ok());
  EXPECT_TRUE(other.value().decisions[1].kept());
}

TEST(RecallAt, CountsPairsOfWhichNotBothAreKept) {
  const std::vector<ExactPair> pairs = {
      {0, 1, 9, 10, 10}, {0, 2, 8, 9, 9}, {1, 2, 5, 10, 10}, {3, 4, 10, 10, 10}};
  const std::vector<bool> kept = {true, false, true, true, true};
  EXPECT_EQ(recall_at(pairs, kept, {4, 5}), (Tally{1, 3}));  // 9/11 found; 8/10, 10/10 missed
  EXPECT_EQ(recall_at(pairs, kept, {9, 11}), (Tally{1, 2}));
  EXPECT_EQ(recall_at(pairs, kept, {1, 1}), (Tally{0, 1}));
  EXPECT_EQ(recall_at(pairs, kept, {1, 10}), (Tally{2, 4}));
}

TEST(CheckRemovals, TellsRightFromWrong) {
  const Corpus corpus({"a b c d e f g h i j", "a b c d e f g h i x", "q r s t", "", ""});
  OracleRules rules;
  rules.shingle_tokens = 1;
  const auto documents = documents_of(corpus);
  EXPECT_EQ(check_removals(documents, std::vector<ClaimedRemoval>{{1, 0}, {4, 3}}, rules).right,
            (Tally{2, 2}));
  // Unlike documents; a survivor that is itself removed; out of range; itself.
  const std::vector<ClaimedRemoval> wrong = {{2, 0}, {1, 2}, {0, 77}, {3, 3}};
  const RemovalCheck check = check_removals(documents, wrong, rules);
  EXPECT_EQ(check.right, (Tally{0, 4}));
  EXPECT_EQ(check.wrong.size(), 4u);
}

}  // namespace
}  // namespace twinset

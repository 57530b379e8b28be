#include "evaluate/oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "evaluate/tokens_for_tests.h"

namespace twinset {
namespace {

ExactShingles set_of(std::string_view text, unsigned width) { return {tokens_of(text), width}; }

void expect_fraction(const Fraction& fraction, std::uint64_t numerator, std::uint64_t denominator) {
  EXPECT_EQ(fraction.numerator, numerator);
  EXPECT_EQ(fraction.denominator, denominator);
}

TEST(Fraction, ComparesByIntegers) {
  EXPECT_TRUE((Fraction{4, 5}).at_least({8, 10}));
  EXPECT_TRUE((Fraction{800'000'001, 1'000'000'000}).at_least({4, 5}));
  EXPECT_FALSE((Fraction{799'999'999, 1'000'000'000}).at_least({4, 5}));
  const std::uint64_t big = ~std::uint64_t{0};
  EXPECT_TRUE((Fraction{big, big}).at_least({1, 1}));
  EXPECT_FALSE((Fraction{big - 1, big}).at_least({1, 1}));
  EXPECT_FALSE(Fraction{}.at_least({0, 1}));
  EXPECT_FALSE(Fraction{}.known());
}

// B-02: the paper's rose (B section 2).
TEST(ExactShingles, RoseHasThreeDistinctFourShingles) {
  const ExactShingles rose = set_of("a rose is a rose is a rose", 4);
  ASSERT_EQ(rose.size(), 3u);
  std::set<std::vector<std::uint64_t>> expected;
  for (const char* shingle : {"a rose is a", "rose is a rose", "is a rose is"}) {
    expected.insert(tokens_of(shingle));
  }
  std::set<std::vector<std::uint64_t>> found;
  for (std::size_t i = 0; i < rose.size(); ++i) {
    found.emplace(rose.shingle(i).begin(), rose.shingle(i).end());
  }
  EXPECT_EQ(found, expected);
}

// B-03, by hand: ab bc cd de ef against ab bc cx xe ef share 3 of 7.
TEST(ExactShingles, HandComputedRatios) {
  const ExactShingles a = set_of("a b c d e f", 2);
  const ExactShingles b = set_of("a b c x e f", 2);
  expect_fraction(exact_resemblance(a, b), 3, 7);
  expect_fraction(exact_containment(a, b), 3, 5);
  expect_fraction(exact_resemblance(a, a), 5, 5);

  const ExactShingles part = set_of("b c d", 2);
  expect_fraction(exact_containment(part, a), 2, 2);
  expect_fraction(exact_containment(a, part), 2, 5);
  expect_fraction(exact_resemblance(part, a), 2, 5);
}

TEST(ExactShingles, ShortDocumentsAreOneShingleThatEqualsNoFullOne) {
  const ExactShingles two = set_of("a b", 4);
  EXPECT_EQ(two.size(), 1u);
  expect_fraction(exact_resemblance(two, set_of("a b", 4)), 1, 1);
  expect_fraction(exact_resemblance(two, set_of("a b c", 4)), 0, 2);
  expect_fraction(exact_resemblance(two, set_of("a b c d", 4)), 0, 2);
  EXPECT_EQ(set_of("a b c d", 4).size(), 1u);
}

TEST(ExactShingles, NoTokensIsNoSignature) {
  const ExactShingles none = set_of("", 4);
  EXPECT_EQ(none.size(), 0u);
  EXPECT_FALSE(exact_resemblance(none, none).known());
  EXPECT_FALSE(exact_resemblance(none, set_of("a b", 4)).known());
  EXPECT_FALSE(exact_containment(none, set_of("a b", 4)).known());
  EXPECT_FALSE(exact_containment(set_of("a b", 4), none).known());
}

TEST(ExactShingles, EqualToSetsOfStrings) {
  SeededRandom random(11);
  for (int trial = 0; trial < 2'000; ++trial) {
    const unsigned width = 1 + static_cast<unsigned>(random.below(6));
    const std::string a = random_text(random, random.below(25), 3);
    const std::string b = random_text(random, random.below(25), 3);
    const auto sa = shingle_strings(a, width);
    const auto sb = shingle_strings(b, width);
    const ExactShingles ea = set_of(a, width);
    const ExactShingles eb = set_of(b, width);
    ASSERT_EQ(ea.size(), sa.size());
    ASSERT_EQ(intersection_size(ea, eb), shared_strings(sa, sb));
  }
}

// B-04 and A6: 1 - r is a metric, in integers, on a million triples drawn from
// documents that are random, nested in, or mutations of one another.
TEST(Resemblance, DistanceIsAMetric) {
  SeededRandom random(4);
  std::vector<std::string> texts;
  for (int i = 0; i < 300; ++i) {
    if (i < 100 || random.chance(1, 3)) {
      texts.push_back(random_text(random, 1 + random.below(14), 3));
    } else {
      std::vector<std::string> words = words_of(texts[random.below(texts.size())]);
      if (random.chance(1, 2)) {
        words.resize(1 + random.below(words.size()));
      } else {
        words[random.below(words.size())] = numbered_word(random.below(4));
        words.push_back(words.front());
      }
      texts.emplace_back();
      for (const std::string& word : words) texts.back() += word + " ";
    }
  }
  std::vector<ExactShingles> sets;
  for (const std::string& text : texts) sets.push_back(set_of(text, 2));
  std::vector<Fraction> r(sets.size() * sets.size());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    for (std::size_t j = 0; j < sets.size(); ++j) {
      r[i * sets.size() + j] = exact_resemblance(sets[i], sets[j]);
    }
  }
  const auto of = [&](std::size_t i, std::size_t j) { return r[i * sets.size() + j]; };
  std::uint64_t violations = 0;
  std::uint64_t close = 0;
  for (int trial = 0; trial < 1'000'000; ++trial) {
    const std::size_t a = random.below(sets.size());
    const std::size_t b = random.below(sets.size());
    const std::size_t c = random.below(sets.size());
    const Fraction ab = of(a, b);
    const Fraction bc = of(b, c);
    const Fraction ac = of(a, c);
    // d(a,c) <= d(a,b) + d(b,c)  <=>  r(a,b) + r(b,c) <= 1 + r(a,c)
    const std::uint64_t left =
        (ab.numerator * bc.denominator + bc.numerator * ab.denominator) * ac.denominator;
    const std::uint64_t right = (ac.denominator + ac.numerator) * ab.denominator * bc.denominator;
    if (left > right) ++violations;
    if (left == right) ++close;
  }
  EXPECT_EQ(violations, 0u);
  EXPECT_GT(close, 0u);  // the bound is met: the triples are not all slack
  for (std::size_t i = 0; i < sets.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      ASSERT_EQ(of(i, j).numerator, of(j, i).numerator);
      const bool same = shingle_strings(texts[i], 2) == shingle_strings(texts[j], 2);
      ASSERT_EQ(of(i, j).numerator == of(i, j).denominator, same) << texts[i] << '|' << texts[j];
    }
  }
}

TEST(Resemblance, IsNotTransitive) {
  const ExactShingles a = set_of("a b c d e f g h", 1);
  const ExactShingles b = set_of("c d e f g h i j", 1);
  const ExactShingles c = set_of("e f g h i j k l", 1);
  const Ratio half{1, 2};
  EXPECT_TRUE(exact_resemblance(a, b).at_least(half));   // 6 of 10
  EXPECT_TRUE(exact_resemblance(b, c).at_least(half));   // 6 of 10
  EXPECT_FALSE(exact_resemblance(a, c).at_least(half));  // 4 of 12
}

/// Random documents, a share of them mutations or parts of others.
std::vector<std::string> related_texts(std::uint64_t seed, std::size_t count) {
  SeededRandom random(seed);
  std::vector<std::string> texts;
  while (texts.size() < count) {
    if (texts.empty() || random.chance(1, 4)) {
      texts.push_back(random_text(random, random.below(40), 30));
      continue;
    }
    std::vector<std::string> words = words_of(texts[random.below(texts.size())]);
    for (std::uint64_t edit = random.below(4); edit > 0 && !words.empty(); --edit) {
      const auto at = words.begin() + static_cast<std::ptrdiff_t>(random.below(words.size()));
      if (random.chance(1, 3)) {
        words.erase(at, words.end());
      } else if (random.chance(1, 2)) {
        *at = numbered_word(random.below(30));
      } else {
        words.insert(at, numbered_word(random.below(30)));
      }
    }
    texts.emplace_back();
    for (const std::string& word : words) texts.back() += word + " ";
  }
  return texts;
}

struct Corpus {
  explicit Corpus(std::vector<std::string> given) : texts(std::move(given)) {
    for (const std::string& text : texts) tokens.push_back(tokens_of(text));
    for (const auto& each : tokens) views.emplace_back(each);
  }
  std::vector<OracleDocument> documents() const {
    std::vector<OracleDocument> out;
    for (std::size_t i = 0; i < texts.size(); ++i) out.push_back({texts[i], tokens[i], false});
    return out;
  }
  std::vector<std::string> texts;
  std::vector<std::vector<std::uint64_t>> tokens;
  std::vector<std::span<const std::uint64_t>> views;
};

constexpr std::uint64_t plenty = std::uint64_t{1} << 30;

TEST(AllExactPairs, EqualToBruteForceOverStrings) {
  const std::vector<PairRule> rules = {{{4, 5}, std::nullopt},   {{1, 2}, std::nullopt},
                                       {{1, 100}, std::nullopt}, {{1, 1}, std::nullopt},
                                       {{4, 5}, Ratio(9, 10)},   {{9, 10}, Ratio(1, 3)}};
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Corpus corpus(related_texts(seed, 90));
    for (const unsigned width : {1u, 2u, 5u}) {
      const auto collection = ShingleCollection::make(corpus.views, width, plenty);
      ASSERT_TRUE(collection.ok());
      std::vector<std::set<std::vector<std::string>>> sets;
      for (const std::string& text : corpus.texts) sets.push_back(shingle_strings(text, width));
      for (const PairRule& rule : rules) {
        std::vector<ExactPair> expected;
        for (std::uint32_t a = 0; a < sets.size(); ++a) {
          for (std::uint32_t b = a + 1; b < sets.size(); ++b) {
            const std::uint64_t shared = shared_strings(sets[a], sets[b]);
            const std::uint64_t both = sets[a].size() + sets[b].size() - shared;
            const auto reaches = [&](std::uint64_t whole, const Ratio& bound) {
              return shared > 0 && shared * bound.denominator() >= whole * bound.numerator();
            };
            if (reaches(both, rule.resemblance) ||
                (rule.containment && (reaches(sets[a].size(), *rule.containment) ||
                                      reaches(sets[b].size(), *rule.containment)))) {
              expected.push_back({a, b, static_cast<std::uint32_t>(shared),
                                  static_cast<std::uint32_t>(sets[a].size()),
                                  static_cast<std::uint32_t>(sets[b].size())});
            }
          }
        }
        EXPECT_EQ(all_exact_pairs(collection.value(), rule), expected)
            << "seed " << seed << " width " << width;
      }
    }
  }
}

TEST(ShingleCollection, NumbersEqualShinglesAlike) {
  const Corpus corpus({"a b c", "b c d", "", "c d", "c", "a b c a b"});
  const auto made = ShingleCollection::make(corpus.views, 2, plenty);
  ASSERT_TRUE(made.ok());
  const ShingleCollection& collection = made.value();
  EXPECT_EQ(collection.documents(), 6u);
  EXPECT_EQ(collection.distinct_shingles(), 5u);  // ab bc cd c ca
  EXPECT_EQ(collection.shingles(2).size(), 0u);
  EXPECT_EQ(collection.shingles(5).size(), 3u);
  // Rarest first: "ca" (1 document) stands before "ab" (2) and "bc" (3).
  EXPECT_EQ(collection.frequency(collection.shingles(5)[0]), 1u);
  EXPECT_EQ(collection.frequency(collection.shingles(5)[2]), 3u);
}

TEST(ShingleCollection, RefusesMoreThanItsMemory) {
  SeededRandom random(1);
  const Corpus corpus({random_text(random, 2'000, 1'000'000), random_text(random, 2'000, 1000)});
  const auto made = ShingleCollection::make(corpus.views, 5, 200'000);
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, ErrorCode::usage);
  EXPECT_NE(made.error().message.find("document 2 of 2"), std::string::npos)
      << made.error().message;
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
    const auto documents = corpus.documents();
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
    const Share recall = recall_at(outcome.value().pairs, kept, rules.resemblance);
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
  const auto outcome = decide_exactly(corpus.documents(), rules);
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
  // A hair above 9/11 keeps both.
  rules.resemblance = {9'000'001, 11'000'000};
  const auto stricter = decide_exactly(corpus.documents(), rules);
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
  const auto outcome = decide_exactly(corpus.documents(), rules);
  ASSERT_TRUE(outcome.ok());
  EXPECT_TRUE(outcome.value().decisions[0].kept());
  EXPECT_EQ(outcome.value().decisions[1].survivor, 0u);
  EXPECT_TRUE(outcome.value().decisions[2].kept());
}

TEST(DecideExactly, ReferencesStayAndOthersGoForThem) {
  const Corpus corpus({"a b c d e", "a b c d e", "a b c d e f", "a b c d e", "a b c d e g"});
  auto documents = corpus.documents();
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
  const auto outcome = decide_exactly(corpus.documents(), rules);
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome.value().decisions[1].fate, Fate::contained);
  expect_fraction(outcome.value().decisions[1].containment, 3, 3);
  expect_fraction(outcome.value().decisions[1].survivor_containment, 3, 9);
  EXPECT_EQ(outcome.value().decisions[2].fate, Fate::contained);
  EXPECT_TRUE(outcome.value().decisions[3].kept());
  // The other way round the long one is not contained in the short one.
  const Corpus reversed({"c d e f", "a b c d e f g h i j"});
  const auto other = decide_exactly(reversed.documents(), rules);
  ASSERT_TRUE(other.ok());
  EXPECT_TRUE(other.value().decisions[1].kept());
}

TEST(RecallAt, CountsPairsOfWhichNotBothAreKept) {
  const std::vector<ExactPair> pairs = {
      {0, 1, 9, 10, 10}, {0, 2, 8, 9, 9}, {1, 2, 5, 10, 10}, {3, 4, 10, 10, 10}};
  const std::vector<bool> kept = {true, false, true, true, true};
  EXPECT_EQ(recall_at(pairs, kept, {4, 5}), (Share{1, 3}));  // 9/11 found; 8/10, 10/10 missed
  EXPECT_EQ(recall_at(pairs, kept, {9, 11}), (Share{1, 2}));
  EXPECT_EQ(recall_at(pairs, kept, {1, 1}), (Share{0, 1}));
  EXPECT_EQ(recall_at(pairs, kept, {1, 10}), (Share{2, 4}));
}

TEST(CheckRemovals, TellsRightFromWrong) {
  const Corpus corpus({"a b c d e f g h i j", "a b c d e f g h i x", "q r s t", "", ""});
  OracleRules rules;
  rules.shingle_tokens = 1;
  const auto documents = corpus.documents();
  EXPECT_EQ(check_removals(documents, std::vector<ClaimedRemoval>{{1, 0}, {4, 3}}, rules).right,
            (Share{2, 2}));
  // Unlike documents; a survivor that is itself removed; out of range; itself.
  const std::vector<ClaimedRemoval> wrong = {{2, 0}, {1, 2}, {0, 77}, {3, 3}};
  const RemovalCheck check = check_removals(documents, wrong, rules);
  EXPECT_EQ(check.right, (Share{0, 4}));
  EXPECT_EQ(check.wrong.size(), 4u);
}

}  // namespace
}  // namespace twinset

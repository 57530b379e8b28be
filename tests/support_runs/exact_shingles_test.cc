#include "support_runs/exact_shingles.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "evaluate/tokens_for_tests.h"

namespace twinset {
namespace {

ExactShingles set_of(std::string_view text, unsigned width) { return {tokens_of(text), width}; }

void expect_fraction(const Fraction& fraction, std::uint64_t numerator, std::uint64_t denominator) {
  EXPECT_EQ(fraction.numerator, numerator);
  EXPECT_EQ(fraction.denominator, denominator);
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

// B-03: a text shorter than w.
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

// B-04.
TEST(Resemblance, IsNotTransitive) {
  const ExactShingles a = set_of("a b c d e f g h", 1);
  const ExactShingles b = set_of("c d e f g h i j", 1);
  const ExactShingles c = set_of("e f g h i j k l", 1);
  const Ratio half{1, 2};
  EXPECT_TRUE(exact_resemblance(a, b).at_least(half));   // 6 of 10
  EXPECT_TRUE(exact_resemblance(b, c).at_least(half));   // 6 of 10
  EXPECT_FALSE(exact_resemblance(a, c).at_least(half));  // 4 of 12
}

}  // namespace
}  // namespace twinset

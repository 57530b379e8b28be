#include "evaluate/oracle.h"

#include <gtest/gtest.h>

#include "evaluate/tokens_for_tests.h"

namespace twinset {
namespace {

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
  // Rarest first: "ca" (1 document) comes before "ab" (2) and "bc" (3).
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

TEST(ShingleCollection, PairsEqualTheDefinition) {
  const Corpus corpus(related_texts(7, 40));
  const auto collection = ShingleCollection::make(corpus.views, 2, plenty);
  ASSERT_TRUE(collection.ok());
  for (std::uint32_t b = 0; b < corpus.views.size(); ++b) {
    for (std::uint32_t a = 0; a < b; ++a) {
      const auto left = shingle_strings(corpus.texts[a], 2);
      const auto right = shingle_strings(corpus.texts[b], 2);
      const ExactPair expected{a, b, static_cast<std::uint32_t>(shared_strings(left, right)),
                               static_cast<std::uint32_t>(left.size()),
                               static_cast<std::uint32_t>(right.size())};
      ASSERT_EQ(collection.value().pair(a, b), expected);
    }
  }
}

}  // namespace
}  // namespace twinset

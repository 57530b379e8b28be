#include "calibrate/pair_sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "evaluate/random.h"

namespace twinset {
namespace {

struct Added {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint64_t tokens = 0;
  std::uint32_t found = 0;
};

/// Found at this value of four and at all looser ones.
std::uint32_t from(std::uint64_t value) { return 0xFU << value & 0xF; }

std::vector<Added> some_pairs(std::size_t count) {
  SeededRandom random(3);
  std::vector<Added> pairs;
  for (std::uint32_t i = 0; i < count; ++i) {
    pairs.push_back({2 * i + 1, 2 * i, random.below(300), from(random.below(4))});
  }
  return pairs;
}

DrawnPairs drawn(const std::vector<Added>& pairs, const PairSampleOptions& options) {
  PairSample sample(4, options);
  for (const Added& pair : pairs) sample.add(pair.a, pair.b, pair.tokens, pair.found);
  return std::move(sample).take();
}

using Documents = std::pair<std::uint32_t, std::uint32_t>;

std::set<Documents> documents_of(const DrawnPairs& drawn) {
  std::set<Documents> documents;
  for (const DrawnPair& pair : drawn.pairs) documents.emplace(pair.a, pair.b);
  return documents;
}

TEST(PairSample, CountsAllAndKeepsTheLowestOfEachLengthValueAndHalf) {
  const std::vector<Added> pairs = some_pairs(3000);
  const DrawnPairs few = drawn(pairs, {.most = 20, .seed = 1});
  const DrawnPairs all = drawn(pairs, {.most = 3000, .seed = 1});
  ASSERT_EQ(all.pairs.size(), pairs.size());
  std::set<Documents> due;
  for (std::size_t length = 0; length < token_classes; ++length) {
    for (std::size_t value = 0; value < 4; ++value) {
      std::uint64_t found = 0;
      std::array<std::map<std::uint64_t, Documents>, 2> ranked;
      for (const DrawnPair& pair : all.pairs) {
        if (pair.length != length || (pair.found >> value & 1) == 0) continue;
        ++found;
        ranked[pair.half()][pair.rank] = {pair.a, pair.b};
      }
      EXPECT_EQ(few.found[length][value], found);
      for (const auto& of_half : ranked) {
        std::size_t taken = 0;
        for (auto at = of_half.begin(); at != of_half.end() && taken < 20; ++at, ++taken) {
          due.insert(at->second);
        }
      }
    }
  }
  EXPECT_EQ(documents_of(few), due);
  EXPECT_EQ(few.pairs.size(), due.size()) << "each once";
}

TEST(PairSample, NothingDependsOnTheOrder) {
  std::vector<Added> pairs = some_pairs(500);
  const DrawnPairs forward = drawn(pairs, {.most = 10, .seed = 7});
  std::ranges::reverse(pairs);
  EXPECT_EQ(documents_of(drawn(pairs, {.most = 10, .seed = 7})), documents_of(forward));
  EXPECT_NE(documents_of(drawn(pairs, {.most = 10, .seed = 8})), documents_of(forward));
}

TEST(PairSample, APairIsFoundAtTheValuesOfAllItsJoins) {
  PairSample sample(4, {.most = 10, .seed = 1});
  sample.add(5, 2, 60, 0b0101);
  sample.add(7, 2, 60, 0b1000);
  sample.add(5, 2, 60, 0b1000);
  EXPECT_EQ(sample.found(token_class(60), 3), 2U);
  EXPECT_EQ(sample.found(token_class(60), 1), 0U);
  const DrawnPairs drawn = std::move(sample).take();
  ASSERT_EQ(drawn.pairs.size(), 2U);
  EXPECT_EQ(drawn.pairs[0].a, 5U);
  EXPECT_EQ(drawn.pairs[0].found, 0b1101U);
  EXPECT_EQ(drawn.pairs[1].found, 0b1000U);
}

// Of 40 pairs of one length and value 10 are drawn for each half, by 4,000 seeds: a pair is among
// them with a chance of a half. By Hoeffding's inequality the share of seeds is off by more than
// sqrt(ln(2 * 40 * 1e8) / 8000) = .054 for one of the pairs with a chance below 1e-8.
TEST(PairSample, EachPairHasTheSameChance) {
  std::vector<Added> pairs;
  for (std::uint32_t i = 0; i < 40; ++i) pairs.push_back({i + 100, i, 60, from(1)});
  std::map<Documents, int> taken;
  int all = 0;
  constexpr int seeds = 4000;
  for (int seed = 0; seed < seeds; ++seed) {
    for (const Documents& pair :
         documents_of(drawn(pairs, {.most = 10, .seed = static_cast<std::uint64_t>(seed)}))) {
      ++taken[pair];
      ++all;
    }
  }
  // A half has fewer than ten of the 40 pairs with a chance below .001.
  EXPECT_GT(all, seeds * 19);
  for (const auto& [pair, count] : taken) {
    EXPECT_NEAR(count / static_cast<double>(seeds), all / (40.0 * seeds), 0.055);
  }
  EXPECT_EQ(taken.size(), 40U);
}

}  // namespace
}  // namespace twinset

#include "evaluate/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

namespace twinset {
namespace {

TEST(SeededRandom, SameSeedSameNumbersOnEveryMachine) {
  SeededRandom random(1);
  EXPECT_EQ(random.next(), mix64(1 + 0x9e3779b97f4a7c15ULL));
  SeededRandom again(1);
  SeededRandom other(2);
  const std::uint64_t first = again.next();
  EXPECT_EQ(first, SeededRandom(1).next());
  EXPECT_NE(first, other.next());
}

TEST(SeededRandom, BelowIsUniform) {
  // Hoeffding at 1e-8 a cell over 1e5 draws: 0.0098.
  SeededRandom random(3);
  std::array<int, 7> counts{};
  constexpr int draws = 100'000;
  for (int i = 0; i < draws; ++i) ++counts[random.below(7)];
  for (const int count : counts) EXPECT_NEAR(count / double{draws}, 1.0 / 7, 0.0098);
  EXPECT_EQ(random.below(1), 0u);
  EXPECT_EQ(random.below(0), 0u);
}

TEST(DeriveSeed, PartsDiffer) {
  std::set<std::uint64_t> seeds;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (std::uint64_t a = 0; a < 30; ++a) {
      for (std::uint64_t b = 0; b < 30; ++b) seeds.insert(derive_seed(seed, a, b));
    }
  }
  EXPECT_EQ(seeds.size(), 9'000u);
}

}  // namespace
}  // namespace twinset

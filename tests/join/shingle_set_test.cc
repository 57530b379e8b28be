// The hash set against std::set.
#include "join/shingle_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace twinset {
namespace {

std::vector<std::uint64_t> random_shingles(std::size_t count, std::uint64_t distinct,
                                           std::mt19937_64& random) {
  std::vector<std::uint64_t> values(count);
  // Small numbers too: shingles of crafted text need not be uniform, nor non-zero.
  for (std::uint64_t& value : values) {
    value = random() % distinct * (random() % 2 == 0 ? 1 : 0x9e3779b97f4a7c15ULL);
  }
  return values;
}

TEST(ShingleSet, HoldsWhatItWasGivenAndNothingElse) {
  std::mt19937_64 random(1);
  ShingleSet set;
  EXPECT_FALSE(set.contains(0));
  EXPECT_FALSE(set.contains(1));
  EXPECT_EQ(set.size(), 0U);
  for (int round = 0; round < 300; ++round) {
    const std::uint64_t universe = 1 + random() % 2000;
    const std::vector<std::uint64_t> values = random_shingles(random() % 1500, universe, random);
    const std::set<std::uint64_t> expected(values.begin(), values.end());
    std::vector<std::uint64_t> distinct{99};
    set.assign(values, &distinct);
    ASSERT_EQ(set.size(), expected.size());
    ASSERT_EQ(distinct.size(), expected.size());
    ASSERT_EQ(std::set<std::uint64_t>(distinct.begin(), distinct.end()), expected);
    for (std::uint64_t value = 0; value < universe + 10; ++value) {
      ASSERT_EQ(set.contains(value), expected.count(value) == 1) << value;
    }
    for (const std::uint64_t value : values) ASSERT_TRUE(set.contains(value));
  }
}

TEST(ShingleSet, DistinctOnesComeInTheOrderFirstSeen) {
  ShingleSet set;
  std::vector<std::uint64_t> distinct;
  set.assign(std::vector<std::uint64_t>{7, 0, 7, 3, 0, 9, 3}, &distinct);
  EXPECT_EQ(distinct, (std::vector<std::uint64_t>{7, 0, 3, 9}));
  EXPECT_EQ(set.size(), 4U);
}

TEST(ShingleSet, ManyAreTakenOverAndCountedTheSame) {
  std::mt19937_64 random(7);
  const std::size_t count = many_shingles + many_shingles / 4;
  const std::vector<std::uint64_t> a = random_shingles(count, 2 * count, random);
  std::vector<std::uint64_t> b = random_shingles(count, 2 * count, random);
  b.push_back(0);
  ShingleSet table;
  std::vector<std::uint64_t> distinct;
  table.assign(a, &distinct);
  EXPECT_TRUE(table.sorted().empty());

  std::vector<std::uint64_t> given = a;
  ShingleSet taken;
  taken.take(given);
  EXPECT_TRUE(given.empty());
  ASSERT_EQ(taken.size(), table.size());
  ASSERT_EQ(taken.sorted().size(), table.size());
  EXPECT_TRUE(std::is_sorted(taken.sorted().begin(), taken.sorted().end()));
  for (std::size_t i = 0; i < 10'000; ++i) {
    ASSERT_EQ(taken.contains(b[i]), table.contains(b[i]));
  }
  // Few against many, many against many: as the table counts them.
  const std::span<const std::uint64_t> few = std::span(distinct).first(1000);
  EXPECT_EQ(shared_shingles(few, taken, 0), 1000U);
  ShingleSet other;
  other.take(b);
  std::uint32_t expected = 0;
  for (const std::uint64_t shingle : other.sorted()) expected += table.contains(shingle) ? 1 : 0;
  EXPECT_EQ(shared_shingles(other.sorted(), taken, 0), expected);
  EXPECT_EQ(shared_shingles(other.sorted(), table, 0), expected);

  given = {3, 3, 5};
  taken.take(given);
  EXPECT_EQ(taken.size(), 2U);
  EXPECT_TRUE(taken.sorted().empty());
  EXPECT_FALSE(taken.contains(distinct[0]));
}

TEST(ShingleSet, AssignForgetsWhatWasThere) {
  ShingleSet set;
  std::vector<std::uint64_t> many(10'000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = i;
  set.assign(many);
  set.assign(std::vector<std::uint64_t>{20'000});
  EXPECT_EQ(set.size(), 1U);
  EXPECT_TRUE(set.contains(20'000));
  for (const std::uint64_t value : many) ASSERT_FALSE(set.contains(value));
}

// Shingles that agree in many bits must not fall into one run of slots.
TEST(ShingleSet, MultiplesOfLargePowersOfTwoAreFoundToo) {
  std::vector<std::uint64_t> values;
  for (std::uint64_t i = 0; i < 50'000; ++i) values.push_back(i << 40);
  ShingleSet set;
  set.assign(values);
  EXPECT_EQ(set.size(), values.size());
  for (const std::uint64_t value : values) ASSERT_TRUE(set.contains(value));
  EXPECT_FALSE(set.contains(1));
}

TEST(ShingleSet, SecretIsOddAndOfTheProcess) {
  EXPECT_EQ(process_secret() % 2, 1U);
  EXPECT_EQ(process_secret(), process_secret());
}

TEST(SharedShingles, IsTheSizeOfTheIntersection) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 300; ++round) {
    const std::uint64_t universe = 1 + random() % 1000;
    const auto a = random_shingles(random() % 700, universe, random);
    const auto b = random_shingles(random() % 700, universe, random);
    ShingleSet set_a;
    ShingleSet set_b;
    std::vector<std::uint64_t> distinct;
    set_a.assign(a, &distinct);
    set_b.assign(b);
    const std::set<std::uint64_t> plain_a(a.begin(), a.end());
    const std::set<std::uint64_t> plain_b(b.begin(), b.end());
    std::uint32_t expected = 0;
    for (const std::uint64_t value : plain_a) expected += plain_b.count(value) != 0 ? 1 : 0;
    ASSERT_EQ(shared_shingles(distinct, set_b, 0), expected);
    // Whatever is needed: right if it is reached, below it if not.
    for (const std::uint32_t needed :
         {1U, expected, expected + 1, static_cast<std::uint32_t>(distinct.size())}) {
      const std::uint32_t found = shared_shingles(distinct, set_b, needed);
      if (expected >= needed) {
        ASSERT_EQ(found, expected) << needed;
      } else {
        ASSERT_LT(found, needed);
      }
    }
  }
}

TEST(Overlap, AllIsTheUnion) {
  EXPECT_EQ((Overlap{3, 5, 7}.all()), 9U);
  EXPECT_EQ((Overlap{0, 0xffffffff, 0xffffffff}.all()), 0x1fffffffeU);
}

}  // namespace
}  // namespace twinset

// The hash set against std::set.
#include "scheme/shingle_set.h"

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
    set.assign(values);
    ASSERT_EQ(set.size(), expected.size());
    for (const std::uint64_t value : expected) {
      ASSERT_LT(set.place(value), set.size());
      ASSERT_EQ(set.distinct()[set.place(value)], value);
    }
    for (std::uint64_t value = 0; value < universe + 10; ++value) {
      ASSERT_EQ(set.contains(value), expected.count(value) == 1) << value;
    }
    for (const std::uint64_t value : values) ASSERT_TRUE(set.contains(value));
  }
}

TEST(ShingleSet, ManyAreTakenOverAndCountedTheSame) {
  std::mt19937_64 random(7);
  const std::size_t count = many_shingles + many_shingles / 4;
  const std::vector<std::uint64_t> a = random_shingles(count, 2 * count, random);
  std::vector<std::uint64_t> b = random_shingles(count, 2 * count, random);
  b.push_back(0);
  ShingleSet table;
  table.assign(a);
  EXPECT_FALSE(table.in_order());

  std::vector<std::uint64_t> given = a;
  ShingleSet taken;
  taken.take(given);
  EXPECT_TRUE(given.empty());
  ASSERT_EQ(taken.size(), table.size());
  EXPECT_TRUE(taken.in_order());
  EXPECT_TRUE(std::is_sorted(taken.distinct().begin(), taken.distinct().end()));
  for (std::size_t i = 0; i < 10'000; ++i) {
    ASSERT_EQ(taken.contains(b[i]), table.contains(b[i]));
  }
  // Few against many and many against many: the same counts as by the table.
  ShingleProber few;
  few.shingles() = std::vector(a.begin(), a.begin() + 1000);
  few.ready();
  EXPECT_EQ(few.count(taken), std::set(a.begin(), a.begin() + 1000).size());
  EXPECT_EQ(few.size(), few.count(taken));
  ShingleProber many;
  many.shingles() = b;
  many.ready();
  const std::set<std::uint64_t> distinct(b.begin(), b.end());
  EXPECT_EQ(many.size(), distinct.size());
  std::uint32_t expected = 0;
  for (const std::uint64_t shingle : distinct) expected += table.contains(shingle) ? 1 : 0;
  EXPECT_EQ(many.count(taken), expected);
  EXPECT_EQ(many.count(table), expected);
  EXPECT_EQ(many.count(table, expected), expected);
  EXPECT_LT(many.count(table, expected + 1), expected + 1);

  given = {3, 3, 5};
  taken.take(given);
  EXPECT_EQ(taken.size(), 2U);
  EXPECT_FALSE(taken.in_order());
  EXPECT_FALSE(taken.contains(a[0] > 5 ? a[0] : 6));
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

// Shingles that agree in many bits must not fill one run of slots.
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

TEST(ShingleProber, CountsTheIntersectionOfTheSets) {
  std::mt19937_64 random(2);
  ShingleProber prober;
  for (int round = 0; round < 300; ++round) {
    const std::uint64_t universe = 1 + random() % 1000;
    const auto a = random_shingles(random() % 700, universe, random);
    prober.shingles() = a;
    prober.ready();
    EXPECT_FALSE(prober.size().has_value());
    const std::set<std::uint64_t> plain_a(a.begin(), a.end());
    // One document against several sets; its size is known after the first.
    for (int other = 0; other < 3; ++other) {
      const auto b = random_shingles(random() % 700, universe, random);
      const std::set<std::uint64_t> plain_b(b.begin(), b.end());
      ShingleSet set_b;
      set_b.assign(b);
      std::uint32_t expected = 0;
      for (const std::uint64_t value : plain_a) expected += plain_b.count(value) != 0 ? 1 : 0;
      ASSERT_EQ(prober.count(set_b), expected);
      ASSERT_EQ(prober.size(), plain_a.size());
      // For any `needed`: the exact count if it is reached, else a smaller number.
      for (const std::uint32_t needed :
           {0U, 1U, expected, expected + 1, static_cast<std::uint32_t>(plain_a.size())}) {
        const std::uint32_t found = prober.count(set_b, needed);
        if (expected >= needed) {
          ASSERT_EQ(found, expected) << needed;
        } else {
          ASSERT_LT(found, needed);
        }
      }
    }
  }
}

TEST(PairCounter, CountsBothSetsAndWhatTheyShare) {
  std::mt19937_64 random(3);
  PairCounter counter;
  for (int round = 0; round < 300; ++round) {
    // The last round has many shingles, which are sorted.
    const std::size_t most = round < 299 ? 1500 : many_shingles;
    const std::uint64_t universe = 1 + random() % (2 * most);
    auto a = random_shingles(round < 299 ? random() % most : most - 1, universe, random);
    auto b = random_shingles(random() % most, universe, random);
    const std::set<std::uint64_t> plain_a(a.begin(), a.end());
    const std::set<std::uint64_t> plain_b(b.begin(), b.end());
    std::uint32_t expected = 0;
    for (const std::uint64_t value : plain_a) expected += plain_b.count(value) != 0 ? 1 : 0;
    const Overlap found = counter.count(a, b);
    ASSERT_EQ(found.later, plain_a.size());
    ASSERT_EQ(found.earlier, plain_b.size());
    ASSERT_EQ(found.shared, expected);
  }
}

}  // namespace
}  // namespace twinset

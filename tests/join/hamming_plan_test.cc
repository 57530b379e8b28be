#include "join/hamming_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <vector>

namespace twinset {
namespace {

std::vector<Signature<1>> random_signatures(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Signature<1>> made(count);
  for (Signature<1>& signature : made) signature = {random()};
  return made;
}

std::uint64_t choose(std::uint64_t n, std::uint64_t k) {
  std::uint64_t result = 1;
  for (std::uint64_t i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

// Manku's tables: 4 of one block in four for few signatures, 10 of two in five for ten million, 20
// of three in six for more.
TEST(HammingPlan, TablesAreChosenFromTheNumberOfSignatures) {
  const std::vector<Signature<1>> sample = random_signatures(1 << 16, 1);
  const auto plan = [&](std::uint64_t count) { return plan_tables<1>(sample, count, 3); };
  EXPECT_EQ(plan(100'000).tables.size(), 4U);
  EXPECT_EQ(plan(10'000'000).tables.size(), 10U);
  EXPECT_EQ(plan(8'000'000'000).tables.size(), 20U);
  EXPECT_NEAR(plan(1'000'000).meetings, 4 * 5e11 / 65536, 2e6);
}

// Signatures that agree in their first blocks are counted: a plan with more blocks, and a cost that
// a guard sees.
TEST(HammingPlan, EqualBlocksAreSeen) {
  std::vector<Signature<1>> signatures = random_signatures(50'000, 2);
  for (Signature<1>& signature : signatures) signature[0] &= UINT64_MAX >> 40;
  const HammingPlan plan = plan_tables<1>(signatures, 3);
  EXPECT_GE(plan.meetings, 50'000.0 * 49'999 / 2);
}

template <std::size_t Words>
void expect_each_near_pair_has_one_first_table() {
  std::mt19937_64 random(3);
  std::vector<Signature<Words>> some(300);
  for (auto& signature : some) {
    for (auto& word : signature) word = random();
  }
  for (unsigned distance = 0; distance <= max_join_distance; ++distance) {
    for (const std::uint64_t count : {1'000ULL, 20'000'000ULL, 4'000'000'000ULL}) {
      const HammingPlan plan = plan_tables<Words>(some, count, distance);
      if (distance == 0) {
        EXPECT_TRUE(plan.tables.empty());
        continue;
      }
      EXPECT_EQ(plan.tables.size(), choose(plan.blocks, distance));
      EXPECT_EQ(plan.begin(plan.blocks), 64 * Words);
      for (auto a : some) {
        auto b = a;
        for (unsigned bit = 0; bit < distance; ++bit) {
          const std::uint64_t at = random() % (64 * Words);
          b[at / 64] ^= std::uint64_t{1} << at % 64;
        }
        const std::uint32_t equal = equal_blocks<Words>(plan, a, b);
        unsigned met = 0;
        unsigned first = 0;
        for (const std::uint32_t table : plan.tables) {
          const TableKey<Words> key(plan, table);
          const bool meet = key(a) == key(b);
          EXPECT_EQ(meet, (equal & table) == table);
          met += meet ? 1 : 0;
          first += meet && first_table(plan, table, equal) ? 1 : 0;
          if (!meet) {
            EXPECT_FALSE(first_table(plan, table, equal));
          }
        }
        EXPECT_GE(met, 1U);
        ASSERT_EQ(first, 1U);
      }
    }
  }
}

// S-18.
TEST(HammingPlan, NearSignaturesOf64BitsMeetAndHaveOneFirstTable) {
  expect_each_near_pair_has_one_first_table<1>();
}
TEST(HammingPlan, NearSignaturesOf128BitsMeetAndHaveOneFirstTable) {
  expect_each_near_pair_has_one_first_table<2>();
}

TEST(HammingPlan, ATableKeyIsTheBitsOfItsBlocks) {
  const HammingPlan plan{.bits = 64, .distance = 2, .blocks = 4, .tables = {0b0101}};
  const TableKey<1> key(plan, 0b0101);
  EXPECT_EQ(key.bits(), 32U);
  EXPECT_EQ(key({0x1111'2222'3333'4444}), 0x1111'3333U);
  const HammingPlan wide{.bits = 128, .distance = 1, .blocks = 3, .tables = {0b110}};
  EXPECT_EQ(TableKey<2>(wide, 0b010)({0x3f'ffff, UINT64_MAX << 43}), (std::uint64_t{1} << 43) - 1);
}

TEST(HammingPlan, TheSampleOfManyIsAboutSixtyFiveThousand) {
  const std::vector<Signature<1>> signatures = random_signatures(400'000, 4);
  const auto sampled = std::ranges::count_if(signatures, [&](const Signature<1>& signature) {
    return in_plan_sample<1>(signature, signatures.size());
  });
  EXPECT_NEAR(static_cast<double>(sampled), 65536, 5 * 235);  // Five standard deviations.
}

}  // namespace
}  // namespace twinset

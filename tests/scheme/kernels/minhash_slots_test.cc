#include "scheme/kernels/minhash_slots.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "scheme/shingle_sets.h"

namespace twinset {
namespace {

TEST(MinHashSlots, EveryLevelIsTheDefinition) {
  const SimdLevelGuard guard;
  std::mt19937_64 random(1);
  for (const SimdLevel level : supported_simd_levels()) {
    ASSERT_TRUE(limit_simd(level).ok());
    for (const std::size_t count : {16U, 64U, 100U, 128U, 1024U}) {
      const MinHashSlots slots(count, count);
      ASSERT_GE(slots.padded(), count);
      for (const std::size_t size : {0U, 1U, 2U, 100U}) {
        std::vector<std::uint32_t> values(size);
        for (std::uint32_t& value : values) value = static_cast<std::uint32_t>(random());
        std::vector<std::uint32_t> minima(slots.padded(), 0x80000000);
        std::vector<std::uint32_t> expected = minima;
        for (std::size_t slot = 0; slot < slots.padded(); ++slot) {
          for (const std::uint32_t value : values) {
            expected[slot] =
                std::min(expected[slot], (value ^ slots.masks[slot]) * slots.multipliers[slot]);
          }
        }
        lower_minima(slots, values, minima, level);
        ASSERT_EQ(minima, expected) << simd_level_name(level) << " " << count << " " << size;
      }
    }
  }
}

TEST(MinHashSlots, MultipliersAreOdd) {
  for (const std::uint32_t multiplier : MinHashSlots(512, 3).multipliers) {
    EXPECT_EQ(multiplier & 1, 1U);
  }
}

}  // namespace
}  // namespace twinset

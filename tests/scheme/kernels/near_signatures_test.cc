#include "scheme/kernels/near_signatures.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "scheme/shingle_sets.h"

namespace twinset {
namespace {

TEST(NearSignatures, EveryLevelSelectsThoseWithinTheDistance) {
  const SimdLevelGuard guard;
  std::mt19937_64 random(1);
  for (const SimdLevel level : supported_simd_levels()) {
    ASSERT_TRUE(limit_simd(level).ok());
    for (std::size_t size = 0; size < 70; ++size) {
      const std::uint64_t signature = random();
      std::vector<Signature<1>> others(size);
      for (Signature<1>& other : others) {
        other[0] = signature;
        for (std::uint64_t bits = random() % 10; bits > 0; --bits) {
          other[0] ^= std::uint64_t{1} << random() % 64;
        }
      }
      for (const unsigned distance : {0U, 1U, 3U, 7U, 64U}) {
        std::vector<std::uint64_t> expected;
        for (std::size_t i = 0; i < size; ++i) {
          if (differing_bits<1>({signature}, others[i]) <= distance) expected.push_back(i);
        }
        std::vector<std::uint64_t> selected(size);
        selected.resize(select_near(signature, others, distance, selected.data(), level));
        ASSERT_EQ(selected, expected) << simd_level_name(level) << " " << size;
      }
    }
  }
}

TEST(NearSignatures, BitsOfAllWordsAreCounted) {
  EXPECT_EQ(differing_bits<1>({0}, {UINT64_MAX}), 64U);
  EXPECT_EQ(differing_bits<2>({1, 0}, {0, 7}), 4U);
}

}  // namespace
}  // namespace twinset

#include "join/kernels/near_signatures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <span>
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

// Of any number of signatures, at any reach, in as many calls as it takes.
TEST(NearSignatures, EveryLevelFindsThePairsWithinReach) {
  const SimdLevelGuard guard;
  std::mt19937_64 random(2);
  std::vector<Signature<1>> all;
  for (std::uint64_t center = 0; all.size() < 200; all.push_back({center})) {
    center = random() % 20 == 0 ? random() : center ^ (random() & random() & random() & 255);
  }
  for (const SimdLevel level : supported_simd_levels()) {
    ASSERT_TRUE(limit_simd(level).ok());
    for (const std::size_t size : {0U, 1U, 2U, 7U, 8U, 9U, 15U, 16U, 17U, 63U, 200U}) {
      const std::span<const Signature<1>> signatures = std::span(all).first(size);
      for (const std::size_t reach : {1U, 2U, 7U, 8U, 9U, 63U, 300U}) {
        for (const unsigned distance : {0U, 1U, 3U, 64U}) {
          std::vector<PlacePair> expected;
          for (std::uint32_t a = 0; a < size; ++a) {
            for (std::uint32_t b = a + 1; b < size && b <= a + reach; ++b) {
              if (differing_bits<1>(signatures[a], signatures[b]) <= distance) {
                expected.push_back({a, b});
              }
            }
          }
          std::vector<PlacePair> found;
          std::vector<PlacePair> out(reach_block * reach);
          for (std::size_t next = 0; next < size;) {
            const std::size_t count =
                near_within_reach(signatures, reach, distance, out, next, level);
            found.insert(found.end(), out.begin(),
                         out.begin() + static_cast<std::ptrdiff_t>(count));
          }
          std::ranges::sort(found);
          ASSERT_TRUE(found == expected)
              << simd_level_name(level) << " " << size << " " << reach << " " << distance;
        }
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

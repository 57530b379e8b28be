#include "join/kernels/near_signatures.h"

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

// Buckets of all sizes: small ones in full, larger ones not at all, in as many calls as it takes.
TEST(NearSignatures, EveryLevelFindsThePairsOfSmallBuckets) {
  const SimdLevelGuard guard;
  std::mt19937_64 random(2);
  std::vector<Signature<1>> signatures;
  std::vector<std::uint32_t> ends;
  for (std::uint32_t size : {0U, 1U, 2U, 64U, 65U, 64U, 0U, 64U, 100U, 3U, 64U}) {
    const std::uint64_t center = random();
    for (; size > 0; --size)
      signatures.push_back({center ^ (random() & random() & random() & 255)});
    ends.push_back(static_cast<std::uint32_t>(signatures.size()));
  }
  for (const SimdLevel level : supported_simd_levels()) {
    ASSERT_TRUE(limit_simd(level).ok());
    for (const unsigned distance : {0U, 1U, 3U, 64U}) {
      std::vector<PlacePair> expected;
      std::uint32_t begin = 0;
      for (const std::uint32_t end : ends) {
        for (std::uint32_t a = begin; a < end && end - begin <= small_bucket; ++a) {
          for (std::uint32_t b = a + 1; b < end; ++b) {
            if (differing_bits<1>(signatures[a], signatures[b]) <= distance) {
              expected.push_back({a, b});
            }
          }
        }
        begin = end;
      }
      std::vector<PlacePair> found;
      std::vector<PlacePair> out(most_pairs_of_bucket);
      for (std::size_t next = 0; next < ends.size();) {
        const std::size_t count = near_in_buckets(signatures, ends, distance, out, next, level);
        found.insert(found.end(), out.begin(), out.begin() + static_cast<std::ptrdiff_t>(count));
      }
      ASSERT_TRUE(found == expected) << simd_level_name(level) << " " << distance;
    }
  }
}

TEST(NearSignatures, BitsOfAllWordsAreCounted) {
  EXPECT_EQ(differing_bits<1>({0}, {UINT64_MAX}), 64U);
  EXPECT_EQ(differing_bits<2>({1, 0}, {0, 7}), 4U);
}

}  // namespace
}  // namespace twinset

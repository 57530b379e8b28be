#include "scheme/kernels/bit_sums.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "scheme/shingle_sets.h"
#include "support/simd_levels.h"

namespace twinset {
namespace {

/// The published way: a counter a bit, up and down.
std::uint64_t majority_by_counts(const std::vector<std::uint64_t>& hashes) {
  std::array<long, 64> counts{};
  for (const std::uint64_t hash : hashes) {
    for (unsigned bit = 0; bit < 64; ++bit) counts[bit] += (hash >> bit & 1) != 0 ? 1 : -1;
  }
  std::uint64_t bits = 0;
  for (unsigned bit = 0; bit < 64; ++bit) bits |= std::uint64_t{counts[bit] > 0} << bit;
  return bits;
}

TEST(BitSums, MajorityIsThatOfCountersAtEveryLevel) {
  std::vector<std::size_t> sizes;
  for (std::size_t size = 0; size < 140; ++size) sizes.push_back(size);
  for (const std::size_t size : {255, 256, 257, 511, 513, 1000, 4095, 4096, 4097, 70001}) {
    sizes.push_back(size);
  }
  testing::for_each_simd_level([&] {
    for (const std::size_t size : sizes) {
      const Shingles hashes = stream_shingles(size, size);
      ASSERT_EQ(majority_bits(hashes, simd_level()), majority_by_counts(hashes)) << size;
    }
  });
}

// Ties and nearly ties: random hashes, and then their complements, leave every bit at half.
TEST(BitSums, HalfOfTheHashesIsNoMajority) {
  testing::for_each_simd_level([] {
    for (std::size_t size = 1; size < 200; ++size) {
      Shingles hashes = stream_shingles(size, size);
      for (std::size_t i = 0; i < size; ++i) hashes.push_back(~hashes[i]);
      ASSERT_EQ(majority_bits(hashes, simd_level()), 0U) << size;
      const std::uint64_t one_more = mix64(size);
      hashes.push_back(one_more);
      ASSERT_EQ(majority_bits(hashes, simd_level()), one_more) << size;
    }
  });
}

TEST(BitSums, EqualHashesFillEveryPlane) {
  testing::for_each_simd_level([] {
    for (const std::size_t size : {1, 7, 8, 63, 64, 65, 1023, 65536}) {
      const Shingles hashes(size, 0x8000000000000001);
      ASSERT_EQ(majority_bits(hashes, simd_level()), 0x8000000000000001U) << size;
    }
  });
}

TEST(BitSums, WeightedSumsAreTheDefinitionAtEveryLevel) {
  testing::for_each_simd_level([] {
    std::mt19937_64 random(2);
    for (const unsigned bits : {1U, 11U, 12U, 13U, 16U, 24U, 25U, 32U}) {
      for (const std::size_t size : {0, 1, 2, 15, 16, 17, 31, 255, 256, 257, 600, 1025}) {
        const Shingles hashes = stream_shingles(size + bits, size);
        std::vector<std::uint32_t> weights(size);
        for (std::uint32_t& weight : weights) {
          // All digits full, else of random lengths.
          weight = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
          if (random() % 3 != 0) weight &= static_cast<std::uint32_t>(random()) >> random() % 32;
        }
        BitSums expected;
        expected.fill(5);
        BitSums sums = expected;
        for (std::size_t i = 0; i < size; ++i) {
          for (unsigned bit = 0; bit < 64; ++bit) {
            if ((hashes[i] >> bit & 1) != 0) expected[bit] += weights[i];
          }
        }
        add_bit_sums(hashes, weights, sums, simd_level());
        ASSERT_EQ(sums, expected) << bits << " " << size;
      }
    }
  });
}

TEST(BitSums, TheLargestWeightsOverflowNoCounter) {
  testing::for_each_simd_level([] {
    const Shingles hashes(3000, UINT64_MAX);
    const std::vector<std::uint32_t> weights(hashes.size(), UINT32_MAX);
    BitSums sums{};
    add_bit_sums(hashes, weights, sums, simd_level());
    for (const std::uint64_t sum : sums) ASSERT_EQ(sum, 3000U * std::uint64_t{UINT32_MAX});
  });
}

}  // namespace
}  // namespace twinset

#include "scheme/kernels/select_hashes.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "scheme/shingle_sets.h"

namespace twinset {
namespace {

TEST(SelectHashes, EveryLevelIsTheDefinition) {
  const SimdLevelGuard guard;
  std::mt19937_64 random(1);
  for (const SimdLevel level : supported_simd_levels()) {
    ASSERT_TRUE(limit_simd(level).ok());
    for (const std::uint64_t kept_bits : {UINT64_MAX, UINT64_MAX << 24, UINT64_MAX << 32}) {
      const ShingleHash hash{random(), random() | 1, kept_bits};
      for (std::size_t size = 0; size < 40; ++size) {
        std::vector<std::uint64_t> shingles(size * size);
        for (std::uint64_t& shingle : shingles) shingle = random();
        // Values at which carries and borrows go wrong.
        for (const std::uint64_t extreme : {std::uint64_t{0}, UINT64_MAX, UINT64_MAX >> 32}) {
          if (!shingles.empty()) shingles[random() % shingles.size()] = extreme ^ hash.key;
        }
        const std::uint64_t some = shingles.empty() ? 0 : hash(shingles.front());
        for (const std::uint64_t limit : {UINT64_MAX, UINT64_MAX / 16, some, std::uint64_t{0}}) {
          std::vector<std::uint64_t> expected;
          for (const std::uint64_t shingle : shingles) {
            if (hash(shingle) <= limit) expected.push_back(hash(shingle));
          }
          std::vector<std::uint64_t> selected(shingles.size());
          selected.resize(select_hashes(hash, shingles, limit, selected.data(), level));
          ASSERT_EQ(selected, expected) << simd_level_name(level) << " " << size;
        }
      }
    }
  }
}

TEST(SelectHashes, MultipliersOfAllOnesAreMultipliedToo) {
  const SimdLevelGuard guard;
  const ShingleHash hash{0, UINT64_MAX};
  const std::vector<std::uint64_t> shingles(16, UINT64_MAX);
  for (const SimdLevel level : supported_simd_levels()) {
    ASSERT_TRUE(limit_simd(level).ok());
    std::vector<std::uint64_t> selected(shingles.size());
    ASSERT_EQ(select_hashes(hash, shingles, UINT64_MAX, selected.data(), level), 16U);
    EXPECT_EQ(selected, std::vector<std::uint64_t>(16, multiply_fold(UINT64_MAX, UINT64_MAX)));
  }
}

}  // namespace
}  // namespace twinset

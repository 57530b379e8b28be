#include "search/shingle_cache.h"

#include <gtest/gtest.h>

#include "base/hash.h"

namespace twinset {
namespace {

ShingleCache::Shingles shingles_of(std::uint64_t document, std::size_t count) {
  ShingleCache::Shingles shingles(count);
  for (std::size_t i = 0; i < count; ++i) shingles[i] = mix64(document << 20 | i);
  return shingles;
}

bool is_of(const ShingleCache::Shingles& shingles, std::uint64_t document) {
  return shingles == shingles_of(document, shingles.size());
}

TEST(ShingleCache, HoldsTheLastUsedWithinItsMemory) {
  constexpr std::uint64_t memory = 1 << 20;
  ShingleCache cache(memory);
  std::uint64_t found = 0;
  for (std::uint32_t round = 0; round < 2000; ++round) {
    // One document in three is asked for again and again.
    const IndexPlace place{round % 2, round % 3 == 0 ? 5000 : round};
    std::vector<std::uint64_t> shingles = shingles_of(place.segment << 16 | place.number, 300);
    const ShingleCache::Shingles* set = cache.find(place);
    found += set != nullptr ? 1 : 0;
    if (set == nullptr) set = &cache.keep(place, shingles);
    ASSERT_TRUE(is_of(*set, place.segment << 16 | place.number)) << round;
    ASSERT_LE(cache.bytes(), memory + (memory >> 4)) << round;
  }
  EXPECT_EQ(found, 667 - 2);  // All but the first time in either segment.
  EXPECT_EQ(cache.find({0, 4}), nullptr);
}

TEST(ShingleCache, ASetOutlivesTheNextThatIsKept) {
  ShingleCache cache(0);
  for (std::uint32_t i = 0; i + 1 < 50; ++i) {
    const ShingleCache::Shingles* mine = cache.find({0, i});
    std::vector<std::uint64_t> shingles = shingles_of(i, 1000);
    if (mine == nullptr) mine = &cache.keep({0, i}, shingles);
    shingles = shingles_of(i + 1, 1000);
    const ShingleCache::Shingles& next = cache.keep({0, i + 1}, shingles);
    EXPECT_TRUE(is_of(*mine, i));
    EXPECT_TRUE(is_of(next, i + 1));
  }
}

}  // namespace
}  // namespace twinset

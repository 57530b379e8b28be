#include "join/run_hash.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

TEST(RunHash, RollsToWhatEachRunAloneHas) {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> tokens(500);
  for (std::uint64_t& token : tokens) token = random();
  for (const unsigned run_tokens : {1U, 7U, 50U, 300U}) {
    const RunHasher hasher(run_tokens);
    std::size_t next = 3;
    hasher.for_each(tokens, 3, 201, [&](std::size_t begin, const Key128& key) {
      ASSERT_EQ(begin, next++);
      hasher.for_each(std::span(tokens).subspan(begin, run_tokens), 0, 1,
                      [&](std::size_t, const Key128& alone) { EXPECT_EQ(key, alone); });
    });
    EXPECT_EQ(next, 201U);
    hasher.for_each(tokens, 9, 9, [&](std::size_t, const Key128&) { FAIL(); });
  }
}

/// All rows of 12 tokens over two words: repetitive ones and orders of the same words.
TEST(RunHash, TellsOrdersApart) {
  const RunHasher hasher(12);
  std::set<std::uint64_t> high;
  std::set<std::uint64_t> low;
  for (unsigned word = 0; word < 4096; ++word) {
    std::vector<std::uint64_t> tokens;
    for (unsigned bit = 0; bit < 12; ++bit) tokens.push_back(mix64((word >> bit & 1) + 1));
    hasher.for_each(tokens, 0, 1, [&](std::size_t, const Key128& key) {
      high.insert(key.high);
      low.insert(key.low);
    });
  }
  EXPECT_EQ(high.size(), 4096U);
  EXPECT_EQ(low.size(), 4096U);
}

}  // namespace
}  // namespace twinset

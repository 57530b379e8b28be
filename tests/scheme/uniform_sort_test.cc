#include "scheme/uniform_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace twinset {
namespace {

void expect_sorted(std::vector<std::uint64_t> values, std::uint64_t limit) {
  std::vector<std::uint64_t> expected = values;
  std::ranges::sort(expected);
  sort_uniform(values, limit);
  EXPECT_EQ(values, expected) << values.size() << " up to " << limit;
}

TEST(UniformSort, SortsEvenValues) {
  std::mt19937_64 random(1);
  for (const std::uint64_t modulus : {1ULL, 2ULL, 3ULL, 16ULL, 25ULL, 1ULL << 32, 1ULL << 63}) {
    const std::uint64_t limit = UINT64_MAX / modulus;
    for (const std::size_t count :
         {0U, 1U, 2U, 24U, 25U, 31U, 32U, 33U, 200U, 1023U, 1024U, 1025U}) {
      std::vector<std::uint64_t> values(count);
      for (std::uint64_t& value : values) {
        value = std::uniform_int_distribution<std::uint64_t>(0, limit)(random);
      }
      expect_sorted(values, limit);
    }
  }
}

TEST(UniformSort, SortsWhatIsNotEven) {
  std::mt19937_64 random(2);
  for (const std::size_t count : {30U, 300U, 1000U}) {
    std::vector<std::uint64_t> crowded(count);
    for (std::uint64_t& value : crowded) value = random() % 1000;
    expect_sorted(crowded, UINT64_MAX);
    expect_sorted(std::vector<std::uint64_t>(count, UINT64_MAX), UINT64_MAX);
    expect_sorted(std::vector<std::uint64_t>(count, 0), 1);
    std::vector<std::uint64_t> falling(count);
    for (std::size_t i = 0; i < count; ++i) falling[i] = UINT64_MAX - i * 1000;
    expect_sorted(falling, UINT64_MAX);
    std::vector<std::uint64_t> two(count);
    for (std::size_t i = 0; i < count; ++i) two[i] = i % 2 == 0 ? UINT64_MAX : 0;
    expect_sorted(two, UINT64_MAX);
    // One crowded bucket among even ones.
    std::vector<std::uint64_t> mixed(count);
    for (std::size_t i = 0; i < count; ++i) mixed[i] = i % 4 == 0 ? random() >> 40 : random();
    expect_sorted(mixed, UINT64_MAX);
  }
}

}  // namespace
}  // namespace twinset

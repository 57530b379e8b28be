#include "scheme/sample.h"

#include <gtest/gtest.h>

#include <set>

#include "scheme/shingle_sets.h"

namespace twinset {
namespace {

constexpr ShingleHash hash{0x1234, 0xe7037ed1a0b428dbULL};

std::vector<std::uint64_t> distinct_hashes(const Shingles& shingles) {
  std::set<std::uint64_t> set;
  for (const std::uint64_t shingle : shingles) set.insert(hash(shingle));
  return {set.begin(), set.end()};
}

/// `distinct` shingles, each `times` times, repeats not adjacent.
Shingles repeated(std::size_t distinct, std::size_t times) {
  Shingles shingles;
  const Shingles once = stream_shingles(distinct, distinct);
  for (std::size_t i = 0; i < times; ++i) shingles.insert(shingles.end(), once.begin(), once.end());
  return shingles;
}

TEST(Sample, TakesTheDistinctHashesUpToTheLimit) {
  for (const std::size_t count : {0U, 1U, 511U, 512U, 513U, 20000U}) {
    const Shingles shingles = repeated(count, 2);
    for (const std::uint64_t limit : {UINT64_MAX, UINT64_MAX / 25, std::uint64_t{0}}) {
      std::vector<std::uint64_t> expected = distinct_hashes(shingles);
      std::erase_if(expected, [&](std::uint64_t value) { return value > limit; });
      std::vector<std::uint64_t> sample{7};
      sample_shingles(hash, shingles, limit, sample);
      EXPECT_EQ(sample, expected) << count;
    }
  }
}

TEST(Sample, TakesTheSmallestWhateverRepeats) {
  for (const std::size_t distinct : {1U, 15U, 16U, 17U, 300U, 5000U}) {
    for (const std::size_t times : {1U, 3U, 100U}) {
      const Shingles shingles = repeated(distinct, times);
      const std::vector<std::uint64_t> all = distinct_hashes(shingles);
      for (const std::size_t count : {std::size_t{16}, std::size_t{256}, distinct}) {
        std::vector<std::uint64_t> sample{7};
        const bool whole = sample_smallest(hash, shingles, count, sample);
        EXPECT_EQ(whole, all.size() <= count);
        const std::size_t taken = std::min(count, all.size());
        EXPECT_EQ(sample, std::vector(all.begin(), all.begin() + static_cast<long>(taken)))
            << distinct << " x " << times << ", " << count;
      }
    }
  }
}

// A document made so that every shingle has a small hash takes more passes, but gives no more.
TEST(Sample, CraftedShinglesAreSampledTheSame) {
  Shingles low;
  for (std::uint64_t i = 0; low.size() < 500; ++i) {
    if (hash(i) < UINT64_MAX / 100) low.push_back(i);
  }
  Shingles high;
  for (std::uint64_t i = 0; high.size() < 500; ++i) {
    if (hash(i) > UINT64_MAX / 100 * 99) high.push_back(i);
  }
  for (const Shingles& shingles : {low, high}) {
    const std::vector<std::uint64_t> all = distinct_hashes(shingles);
    std::vector<std::uint64_t> sample;
    EXPECT_FALSE(sample_smallest(hash, shingles, 100, sample));
    EXPECT_EQ(sample, std::vector(all.begin(), all.begin() + 100));
  }
}

TEST(Sample, SortsAndUnifies) {
  std::vector<std::uint64_t> values{5, 3, 5, 0, 3};
  values.resize(sort_and_unify(values, 5));
  EXPECT_EQ(values, (std::vector<std::uint64_t>{0, 3, 5}));
}

}  // namespace
}  // namespace twinset

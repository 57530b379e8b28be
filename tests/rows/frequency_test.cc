// Frequencies against a map of counters: whatever the memory, the threads and the shards.
#include "rows/frequency.h"

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "rows/rows_testing.h"

namespace twinset::testing {
namespace {

std::uint64_t key_of(std::uint64_t term, std::uint64_t) { return mix64(term); }
/// Two terms have the same first word.
Key128 key_of(std::uint64_t term, Key128) { return {mix64(term / 2), term % 2}; }

/// A few terms are in many documents, most in one.
template <class Key>
std::vector<Frequency<Key>> terms(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Frequency<Key>> rows;
  for (std::size_t i = 0; i < count; ++i) {
    const double uniform = static_cast<double>(random() >> 11) / 9007199254740992.0;
    const auto term = static_cast<std::uint64_t>(std::pow(2.0, uniform * 24));
    rows.push_back({key_of(term, Key())});
  }
  return rows;
}

template <class Key>
using Counts = std::map<Key, std::uint64_t>;

/// Adds up `rows` in a store of `memory` bytes; a key given twice is a failure.
template <class Key>
Counts<Key> counts_of(const std::vector<Frequency<Key>>& rows, unsigned threads,
                      std::uint64_t memory, bool spills) {
  const ScratchFolder folder;
  const RunContext context = context_on(disk(), threads);
  PartitionedRows<Frequency<Key>> store(
      {.context = &context, .path = folder / "terms", .memory_bytes = memory});
  SortedRows<Frequency<Key>, std::less<Frequency<Key>>> out(
      {.context = &context, .path = folder / "counts", .memory_bytes = memory});
  EXPECT_TRUE(append_from_threads(context, store, rows, 5000).ok());
  EXPECT_EQ(store.spilled_bytes() > 0, spills);
  EXPECT_TRUE(add_up(store, out).ok());
  EXPECT_TRUE(out.seal().ok());
  Counts<Key> counts;
  EXPECT_TRUE(for_each_row(out, [&](const Frequency<Key>& row) {
                EXPECT_TRUE(counts.emplace(row.key, row.count).second);
              }).ok());
  return counts;
}

template <class Key>
class Frequencies : public ::testing::Test {};
using KeyTypes = ::testing::Types<std::uint64_t, Key128>;
TYPED_TEST_SUITE(Frequencies, KeyTypes);

TYPED_TEST(Frequencies, OfManyRowsInLittleMemoryAreThoseOfAMap) {
  using Key = TypeParam;
  const std::vector<Frequency<Key>> rows = terms<Key>(200'000, 1);
  Counts<Key> expected;
  for (const Frequency<Key>& row : rows) ++expected[row.key];
  ASSERT_GT(std::count_if(expected.begin(), expected.end(),
                          [](const auto& term) { return term.second == 1; }),
            10'000);
  for (const unsigned threads : {1U, 2U, 7U}) {
    EXPECT_TRUE(counts_of(rows, threads, 1 << 20, true) == expected) << threads << " threads";
  }
  EXPECT_TRUE(counts_of(rows, 2, std::uint64_t{256} << 20, false) == expected);
}

TYPED_TEST(Frequencies, OfShardsAddedUpAgainAreThoseOfTheWhole) {
  using Key = TypeParam;
  const std::vector<Frequency<Key>> rows = terms<Key>(60'000, 2);
  const Counts<Key> expected = counts_of(rows, 1, 1 << 18, true);
  for (const std::size_t shards : {2U, 7U}) {
    std::vector<Frequency<Key>> parts;
    for (std::size_t shard = 0; shard < shards; ++shard) {
      std::vector<Frequency<Key>> own;
      for (std::size_t i = shard; i < rows.size(); i += shards) own.push_back(rows[i]);
      for (const auto& [key, count] : counts_of(own, 1, std::uint64_t{64} << 20, false)) {
        parts.push_back({key, count});
      }
    }
    std::shuffle(parts.begin(), parts.end(), std::mt19937_64(3));
    EXPECT_TRUE(counts_of(parts, 2, 1 << 18, true) == expected) << shards << " shards";
  }
}

TEST(FrequencyRows, OneKeyInEveryRowAndNoRows) {
  const std::vector<Frequency<std::uint64_t>> rows(300'000, {77, 3});
  EXPECT_EQ(counts_of(rows, 2, 1 << 18, true), (Counts<std::uint64_t>{{77, 900'000}}));
  EXPECT_TRUE(counts_of<std::uint64_t>({}, 2, 1 << 18, false).empty());
}

}  // namespace
}  // namespace twinset::testing

// SortedRows against std::map and std::sort.
#include "rows/sorted_rows.h"

#include <map>
#include <vector>

#include "rows/rows_testing.h"

namespace twinset::testing {
namespace {

struct ByKey {
  bool operator()(const KeyedRow& a, const KeyedRow& b) const { return a.key < b.key; }
};
struct AddValues {
  void operator()(KeyedRow& kept, const KeyedRow& other) const { kept.value += other.value; }
};

template <class Store>
std::vector<KeyedRow> read_all(const Store& store) {
  auto cursor = store.read();
  EXPECT_TRUE(cursor.ok());
  std::vector<KeyedRow> rows;
  while (true) {
    const Result<const KeyedRow*> row = cursor.value()->next();
    EXPECT_TRUE(row.ok());
    if (row.value() == nullptr) return rows;
    rows.push_back(*row.value());
  }
}

std::vector<KeyedRow> random_rows(std::size_t count, std::uint64_t keys, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<KeyedRow> rows(count);
  for (KeyedRow& row : rows) row = {random() % keys, random() % 5};
  return rows;
}

TEST(SortedRows, EqualsASortWhateverTheBudget) {
  const std::vector<KeyedRow> rows = random_rows(100'000, 30'000, 1);
  std::vector<KeyedRow> expected = rows;
  std::sort(expected.begin(), expected.end());
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  for (const std::uint64_t memory :
       {std::uint64_t{0}, std::uint64_t{300'000}, std::uint64_t{1} << 30}) {
    for (const unsigned threads : {1U, 2U, 7U}) {
      ScratchFolder folder;
      const RunContext context = context_on(disk(), threads);
      {
        SortedRows<KeyedRow, ByKeyAndValue> store(
            {.context = &context, .path = folder / "pairs", .memory_bytes = memory});
        ASSERT_TRUE(append_from_threads(context, store, rows, 777).ok());
        ASSERT_TRUE(store.seal().ok());
        EXPECT_EQ(store.rows_added(), rows.size());
        ASSERT_TRUE(read_all(store) == expected) << memory << " " << threads;
        ASSERT_TRUE(read_all(store) == expected) << "the second reading differs";
        EXPECT_EQ(store.spilled_bytes() > 0, memory <= 300'000);
        EXPECT_EQ(store.size().value_or(expected.size()), expected.size());
      }
      EXPECT_EQ(folder.files(), 0U);
    }
  }
}

TEST(SortedRows, AddingMergeEqualsBruteForce) {
  const std::vector<KeyedRow> rows = random_rows(200'000, 20'000, 2);
  std::map<std::uint64_t, std::uint64_t> sums;
  for (const KeyedRow& row : rows) sums[row.key] += row.value;
  std::vector<KeyedRow> expected;
  for (const auto& [key, sum] : sums) expected.push_back({key, sum});
  for (const std::uint64_t memory :
       {std::uint64_t{0}, std::uint64_t{1} << 20, std::uint64_t{1} << 26}) {
    for (const unsigned threads : {1U, 2U, 7U}) {
      ScratchFolder folder;
      const RunContext context = context_on(disk(), threads);
      SortedRows<KeyedRow, ByKey, AddValues> store(
          {.context = &context, .path = folder / "counts", .memory_bytes = memory});
      ASSERT_TRUE(append_from_threads(context, store, rows, 1).ok());
      ASSERT_TRUE(store.seal().ok());
      ASSERT_TRUE(read_all(store) == expected) << memory << " " << threads;
    }
  }
}

TEST(SortedRows, EmptyIsEmpty) {
  ScratchFolder folder;
  const RunContext context = context_on(disk());
  SortedRows<KeyedRow, ByKey> store({.context = &context, .path = folder / "none"});
  ASSERT_TRUE(store.seal().ok());
  EXPECT_TRUE(read_all(store).empty());
  EXPECT_EQ(store.size(), 0U);
  EXPECT_FALSE(store.append(KeyedRow{}).ok());
}

}  // namespace
}  // namespace twinset::testing

// SortedRows against std::map and std::sort.
#include "rows/sorted_rows.h"

#include <map>
#include <vector>

#include "rows/appender.h"
#include "rows/peak_memory.h"
#include "rows/rows_testing.h"
#include "support/faulty_files.h"

namespace twinset::testing {
namespace {

struct ByKey {
  bool operator()(const KeyedRow& a, const KeyedRow& b) const { return a.key < b.key; }
};
struct ByRadix : ByKeyAndValue {
  static std::uint64_t radix(const KeyedRow& row) { return row.key; }
};

template <class Store>
std::vector<KeyedRow> read_all(const Store& store) {
  auto rows = rows_of(store.read());
  EXPECT_TRUE(rows.ok());
  return rows.value();
}

std::vector<KeyedRow> random_rows(std::size_t count, std::uint64_t keys, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<KeyedRow> rows(count);
  for (KeyedRow& row : rows) row = {random() % keys, random() % 5};
  return rows;
}

template <class Less>
void equals_a_sort_whatever_the_budget() {
  const std::vector<KeyedRow> rows = random_rows(50'000, 15'000, 1);
  std::vector<KeyedRow> expected = rows;
  std::sort(expected.begin(), expected.end());
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  for (const std::uint64_t memory :
       {std::uint64_t{0}, std::uint64_t{300'000}, std::uint64_t{1} << 30}) {
    for (const unsigned threads : {1U, 2U, 7U}) {
      ScratchFolder folder;
      const RunContext context = context_on(disk(), threads);
      {
        SortedRows<KeyedRow, Less> store(
            {.context = &context, .path = folder / "pairs", .memory_bytes = memory});
        ASSERT_TRUE(append_from_threads(context, store, rows, 777).ok());
        ASSERT_TRUE(store.seal().ok());
        EXPECT_EQ(store.rows_added(), rows.size());
        ASSERT_TRUE(read_all(store) == expected) << memory << " " << threads;
        ASSERT_TRUE(read_all(store) == expected) << "the second reading differs";
        EXPECT_EQ(store.spilled_bytes() > 0, memory <= 300'000);
        EXPECT_EQ(store.size().value_or(expected.size()), expected.size());
      }
      EXPECT_EQ(files_in(folder), 0U);
    }
  }
}

// B-12: phase 2, sorted <shingle, document>, equals a sort in memory.
TEST(SortedRows, EqualsASortWhateverTheBudget) {
  equals_a_sort_whatever_the_budget<ByKeyAndValue>();
  equals_a_sort_whatever_the_budget<ByRadix>();
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

// By comparisons and by digits: numbers of one row and of thousands, near each other and far.
template <class Less>
void any_size_any_order_any_budget() {
  std::mt19937_64 random(3);
  for (int round = 0; round < 30; ++round) {
    std::vector<KeyedRow> rows = random_rows(random() % 40'000, 1 + random() % 50'000, random());
    if (round % 3 == 1) {
      for (KeyedRow& row : rows) row = {row.key % 4 << 40, random()};
    } else if (round % 3 == 2) {
      for (KeyedRow& row : rows) row.key *= 0x9E3779B97F4A7C15;
    }
    std::vector<KeyedRow> expected = rows;
    std::sort(expected.begin(), expected.end());
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    std::shuffle(rows.begin(), rows.end(), random);
    ScratchFolder folder;
    const RunContext context = context_on(disk(), 1 + static_cast<unsigned>(random() % 3));
    SortedRows<KeyedRow, Less> store(
        {.context = &context, .path = folder / "pairs", .memory_bytes = random() % 1'000'000});
    ASSERT_TRUE(append_from_threads(context, store, rows, 1 + random() % 3000).ok());
    ASSERT_TRUE(store.seal().ok());
    ASSERT_TRUE(read_all(store) == expected) << "round " << round;
  }
}

TEST(SortedRows, AnySizeAnyOrderAnyBudget) {
  any_size_any_order_any_budget<ByKeyAndValue>();
  any_size_any_order_any_budget<ByRadix>();
}

// More runs than one merge holds: several passes, and the same rows.
TEST(SortedRows, AnAppenderAddsEachRowOnce) {
  const ScratchFolder folder;
  const RunContext context = context_on(disk());
  // None, as many as it holds, one less and more, and several times as many.
  for (const std::size_t count : {0U, 1U, 4095U, 4096U, 4097U, 20'000U}) {
    const std::vector<KeyedRow> rows = random_rows(count, UINT64_MAX, count);
    SortedRows<KeyedRow, ByKeyAndValue> store({.context = &context, .path = folder / "rows"});
    Appender<SortedRows<KeyedRow, ByKeyAndValue>, KeyedRow> out(store);
    for (const KeyedRow& row : rows) ASSERT_TRUE(out.add(row).ok());
    ASSERT_TRUE(out.finish().ok());
    EXPECT_EQ(store.rows_added(), count);
    ASSERT_TRUE(store.seal().ok());
    std::vector<KeyedRow> expected = rows;
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(read_all(store), expected);
  }
}

TEST(SortedRows, MergesInPasses) {
  ScratchFolder folder;
  const RunContext context = context_on(disk());
  std::vector<KeyedRow> expected;
  {
    SortedRows<KeyedRow, ByKeyAndValue> store({.context = &context, .path = folder / "pairs"});
    std::mt19937_64 random(4);
    for (int i = 0; i < 250'000; ++i) {
      expected.push_back({random(), random()});
      ASSERT_TRUE(store.append(expected.back()).ok());
    }
    std::sort(expected.begin(), expected.end());
    ASSERT_TRUE(store.seal().ok());
    // 63 runs of a floor of 64 KiB, merged 7 at a time: written three times.
    EXPECT_GT(store.spilled_bytes(), 2 * expected.size() * sizeof(KeyedRow));
    EXPECT_EQ(files_in(folder), 1U);
    ASSERT_TRUE(read_all(store) == expected);
  }
  EXPECT_EQ(files_in(folder), 0U);
}

// B-12: bytes an entry.
// Sorting 300,000 pairs of 16 bytes writes little more than their bytes once.
TEST(SortedRows, BytesOnDiskPerRow) {
  ScratchFolder folder;
  const RunContext context = context_on(disk());
  SortedRows<KeyedRow, ByKeyAndValue> store(
      {.context = &context, .path = folder / "pairs", .memory_bytes = std::uint64_t{2} << 20});
  constexpr std::uint64_t count = 300'000;
  for (std::uint64_t i = 0; i < count; ++i) {
    ASSERT_TRUE(store.append(KeyedRow{mix64(i), i}).ok());
  }
  ASSERT_TRUE(store.seal().ok());
  const double bytes_per_row = static_cast<double>(store.spilled_bytes()) / count;
  RecordProperty("bytes_per_row", std::to_string(bytes_per_row));
  EXPECT_GE(bytes_per_row, 16.0);
  EXPECT_LT(bytes_per_row, 16.2);
}

// Rows of few keys never fill memory: dropping equal ones makes room.
TEST(SortedRows, FewKeysNeverSpill) {
  ScratchFolder folder;
  const RunContext context = context_on(disk());
  SortedRows<KeyedRow, ByKey> store({.context = &context, .path = folder / "few"});
  for (std::uint64_t i = 0; i < 300'000; ++i) {
    ASSERT_TRUE(store.append(KeyedRow{i % 1000, 1}).ok());
  }
  ASSERT_TRUE(store.seal().ok());
  EXPECT_EQ(store.spilled_bytes(), 0U);
  EXPECT_EQ(store.size(), 1000U);
  for (const KeyedRow& row : read_all(store)) ASSERT_EQ(row.value, 1U);
}

TEST(SortedRows, OfEqualRowsTheLeastBytesStay) {
  std::vector<KeyedRow> rows;
  for (std::uint64_t i = 0; i < 40'000; ++i) rows.push_back({i % 10'000, mix64(i)});
  std::map<std::uint64_t, KeyedRow> least;
  for (const KeyedRow& row : rows) {
    const auto [at, added] = least.emplace(row.key, row);
    if (!added) keep_least(at->second, row);
  }
  std::vector<KeyedRow> expected;
  for (const auto& [key, row] : least) expected.push_back(row);
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{1} << 26}) {
    std::shuffle(rows.begin(), rows.end(), std::mt19937_64(memory));
    ScratchFolder folder;
    const RunContext context = context_on(disk(), 2);
    SortedRows<KeyedRow, ByKey> store(
        {.context = &context, .path = folder / "pairs", .memory_bytes = memory});
    ASSERT_TRUE(append_from_threads(context, store, rows, 100).ok());
    ASSERT_TRUE(store.seal().ok());
    EXPECT_TRUE(read_all(store) == expected);
  }
}

TEST(SortedRows, EveryDamagedByteIsAnError) {
  struct Wide {
    std::uint64_t key;
    std::uint64_t rest[199];
  };
  struct WideByKey {
    bool operator()(const Wide& a, const Wide& b) const { return a.key < b.key; }
  };
  ScratchFolder folder;
  const RunContext context = context_on(disk());
  SortedRows<Wide, WideByKey> store({.context = &context, .path = folder / "wide"});
  for (std::uint64_t i = 0; i < 90; ++i) ASSERT_TRUE(store.append(Wide{i, {}}).ok());
  ASSERT_TRUE(store.seal().ok());
  const std::string path = folder / "wide.runs0";
  const std::string whole = file_bytes(path);
  ASSERT_GT(whole.size(), 90 * sizeof(Wide));
  ASSERT_EQ(rows_of(store.read()).value().size(), 90U);
  for (std::size_t i = file_header_bytes; i < whole.size(); i += i < 8192 ? 3 : 97) {
    flip_byte(path, i, 4);
    ASSERT_FALSE(rows_of(store.read()).ok()) << "byte " << i;
    flip_byte(path, i, 4);
  }
  ASSERT_EQ(rows_of(store.read()).value().size(), 90U);
  for (std::size_t size = whole.size() - 1; size > 997; size -= 997) {
    std::filesystem::resize_file(path, size);
    ASSERT_FALSE(rows_of(store.read()).ok()) << size << " bytes";
  }
}

TEST(SortedRows, EveryFailingOperationIsAnError) {
  const std::vector<KeyedRow> rows = random_rows(35'000, 1'000'000, 5);
  std::vector<KeyedRow> expected = rows;
  std::sort(expected.begin(), expected.end());
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  for (const auto lasting : {FaultyFiles::Lasting::once, FaultyFiles::Lasting::for_ever}) {
    bool failed = true;
    for (std::uint64_t operation = 0; failed; operation += operation < 60 ? 1 : 41) {
      ASSERT_LT(operation, 20'000U);
      ScratchFolder folder;
      FaultyFiles files(disk());
      files.fail_at(operation, FaultyFiles::Fault::short_transfer, lasting);
      const RunContext context = context_on(files, 2);
      const auto read = [&]() -> Result<std::vector<KeyedRow>> {
        SortedRows<KeyedRow, ByKeyAndValue> store({.context = &context, .path = folder / "pairs"});
        TWINSET_TRY(append_from_threads(context, store, rows, 1000));
        TWINSET_TRY(store.seal());
        auto found = rows_of(store.read());
        failed = files.failed();
        return found;
      }();
      if (!read.ok()) {
        EXPECT_TRUE(tells_of_full_disk(read.error(), folder)) << read.error().message;
        failed = true;
      } else {
        ASSERT_FALSE(failed) << "operation " << operation << " failed unseen";
        ASSERT_TRUE(read.value() == expected);
      }
    }
  }
}

TEST(SortedRows, StopsWhenCancelled) {
  ScratchFolder folder;
  std::atomic<bool> cancel = false;
  RunContext context = context_on(disk(), 2);
  context.cancel = &cancel;
  SortedRows<KeyedRow, ByKeyAndValue> store({.context = &context, .path = folder / "pairs"});
  ASSERT_TRUE(store.append(random_rows(50'000, 1'000'000, 5)).ok());
  ASSERT_TRUE(store.seal().ok());
  auto cursor = store.read();
  ASSERT_NE(cursor.value()->peek(), nullptr);
  cancel = true;
  while (cursor.value()->peek() != nullptr) cursor.value()->advance();
  ASSERT_FALSE(cursor.value()->status().ok());
  EXPECT_EQ(cursor.value()->status().error().code, ErrorCode::interrupted);
}

TEST(SortedRows, PeakMemoryStaysWithinTheBudget) {
  if (!memory_can_be_measured) GTEST_SKIP() << "not under a sanitizer";
  constexpr std::uint64_t budget = std::uint64_t{8} << 20;
  constexpr std::uint64_t slack = std::uint64_t{3} << 20;
  for (const unsigned threads : {1U, 2U}) {
    const std::uint64_t growth = peak_growth([&] {
      ScratchFolder folder;
      const RunContext context = context_on(disk(), threads);
      SortedRows<KeyedRow, ByKeyAndValue> store(
          {.context = &context, .path = folder / "pairs", .memory_bytes = budget});
      std::vector<KeyedRow> batch(4096);
      for (std::uint64_t added = 0; added * sizeof(KeyedRow) < 10 * budget;) {
        for (KeyedRow& row : batch) {
          row = {mix64(added), added};
          ++added;
        }
        if (!store.append(batch).ok()) return false;
      }
      if (!store.seal().ok()) return false;
      auto cursor = store.read();
      std::uint64_t rows = 0;
      for (; cursor.value()->peek() != nullptr; cursor.value()->advance()) ++rows;
      return rows * sizeof(KeyedRow) == 10 * budget;
    });
    EXPECT_GT(growth, budget / 4) << threads;
    EXPECT_LT(growth, budget + budget / 10 + slack) << threads;
  }
}

}  // namespace
}  // namespace twinset::testing

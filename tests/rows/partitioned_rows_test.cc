// PartitionedRows against a sort of everything: whatever the memory, partitions,
// threads, order of adding and skew, the groups are the same.
#include "rows/partitioned_rows.h"

#include <array>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "rows/peak_memory.h"
#include "rows/rows_testing.h"
#include "support/faulty_files.h"

namespace twinset::testing {
namespace {

/// `shape`: how keys are shared.
std::vector<KeyedRow> rows_of_shape(const std::string& shape, std::size_t count,
                                    std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<KeyedRow> rows;
  for (std::size_t i = 0; i < count; ++i) {
    if (shape == "mostly single") {
      rows.push_back({mix64(random() % 4 == 0 ? random() % count : random()), random()});
    } else if (shape == "pairs and copies") {
      rows.push_back({mix64(random() % (count / 3 + 1)), random() % 4});
    } else if (shape == "one key") {
      rows.push_back({0x123456789abcdef0, i});
    } else if (shape == "one row") {
      rows.push_back({0x123456789abcdef0, 1});
    } else if (shape == "half one key") {
      rows.push_back({i % 2 == 0 ? 42 : mix64(random() % count), i});
    } else {  // "small keys": not a hash at all
      rows.push_back({random() % (count / 2 + 1), random() % 100});
    }
  }
  return rows;
}

class Grouping : public ::testing::TestWithParam<std::string> {};

// B-11: divide, compute, merge gives the same in memory and spilled. Every budget meets every
// fan-out, and both meet every number of threads.
TEST_P(Grouping, EqualsASortWhateverTheBudget) {
  const std::size_t count = 30'000;
  const std::vector<KeyedRow> rows = rows_of_shape(GetParam(), count, 1);
  const std::vector<Groups::Group> expected = expected_groups(rows);
  const std::vector<Groups::Group> all_expected = expected_groups(rows, 1);
  std::size_t turn = 0;
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{350'000},
                                     std::uint64_t{2} << 20, std::uint64_t{64} << 20}) {
    for (const unsigned bits : {0U, 3U, 8U, PartitionedRows<KeyedRow>::choose_bits}) {
      const unsigned threads = std::array{1U, 2U, 7U}[turn++ % 3];
      SCOPED_TRACE(std::to_string(memory) + " bytes, " + std::to_string(bits) + " bits, " +
                   std::to_string(threads) + " threads");
      ScratchFolder folder;
      const RunContext context = context_on(disk(), threads);
      {
        PartitionedRows<KeyedRow> store(
            {.context = &context, .path = folder / "keys", .memory_bytes = memory}, bits);
        ASSERT_TRUE(append_from_threads(context, store, rows, 1000 + memory % 997).ok());
        EXPECT_EQ(store.rows().value(), count);
        const auto groups = groups_of(store);
        ASSERT_TRUE(groups.ok()) << groups.error().message;
        ASSERT_TRUE(groups.value() == expected);
        const auto all = groups_of(store, twinset::Groups::all);
        ASSERT_TRUE(all.ok()) << all.error().message;
        ASSERT_TRUE(all.value() == all_expected);
        if (memory == 0 && threads == 1) {
          EXPECT_GT(store.spilled_bytes(), 0U);
          EXPECT_LT(static_cast<double>(store.spilled_bytes()), 1.2 * count * sizeof(KeyedRow));
        }
        if (memory == std::uint64_t{64} << 20) {
          EXPECT_EQ(store.spilled_bytes(), 0U);
        }
      }
      EXPECT_EQ(files_in(folder), 0U);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Grouping,
                         ::testing::Values("mostly single", "pairs and copies", "one key",
                                           "one row", "half one key", "small keys"),
                         [](const auto& shape) {
                           std::string name = shape.param;
                           std::replace(name.begin(), name.end(), ' ', '_');
                           return name;
                         });

// Random sizes, budgets and fan-outs, rows shuffled: the sort decides.
TEST(PartitionedRows, AnyOrderAnyFanOutAnyBudget) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 30; ++round) {
    const std::size_t count = random() % 20'000;
    std::vector<KeyedRow> rows =
        rows_of_shape(random() % 2 == 0 ? "pairs and copies" : "half one key", count, random());
    const auto expected = expected_groups(rows);
    std::shuffle(rows.begin(), rows.end(), random);
    ScratchFolder folder;
    const RunContext context = context_on(disk(), 1 + static_cast<unsigned>(random() % 3));
    const std::uint64_t memory = random() % 3'000'000;
    const auto bits = static_cast<unsigned>(random() % 13);
    PartitionedRows<KeyedRow> store(
        {.context = &context, .path = folder / "keys", .memory_bytes = memory}, bits);
    ASSERT_TRUE(append_from_threads(context, store, rows, 1 + random() % 5000).ok());
    const auto groups = groups_of(store);
    ASSERT_TRUE(groups.ok()) << groups.error().message;
    ASSERT_TRUE(groups.value() == expected) << "round " << round;
  }
}

TEST(PartitionedRows, ManyCopiesOfOneRowAreOneRow) {
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{1} << 28}) {
    ScratchFolder folder;
    const RunContext context = context_on(disk(), 2);
    std::vector<KeyedRow> rows(200'000, KeyedRow{77, 1});
    PartitionedRows<KeyedRow> store(
        {.context = &context, .path = folder / "keys", .memory_bytes = memory});
    ASSERT_TRUE(append_from_threads(context, store, rows, 10'000).ok());
    EXPECT_TRUE(groups_of(store).value().empty());
    const KeyedRow other{77, 2};
    ASSERT_TRUE(store.append(std::span(&other, 1)).ok());
    const auto groups = groups_of(store);
    ASSERT_EQ(groups.value().size(), 1U);
    EXPECT_EQ(groups.value()[0].rows, (std::vector<KeyedRow>{{77, 1}, {77, 2}}));
  }
}

// Keys of 128 bits whose first words are equal are still two keys, and a row's payload orders its
// group.
TEST(PartitionedRows, KeysOf128BitsAreComparedWhole) {
  struct WideRow {
    Key128 key;
    std::uint64_t payload = 0;
    std::uint64_t value = 0;
    auto operator<=>(const WideRow&) const = default;
  };
  struct ByPayload {
    bool operator()(const WideRow& a, const WideRow& b) const {
      return std::tie(a.payload, a.value) < std::tie(b.payload, b.value);
    }
  };
  class Collect {
   public:
    Collect(std::mutex& mutex, std::map<Key128, std::vector<WideRow>>& out)
        : mutex_(mutex), out_(out) {}
    Status row(const WideRow& row, bool first) {
      EXPECT_TRUE(groups_.empty() || first == (row.key != last_));
      last_ = row.key;
      groups_[row.key].push_back(row);
      return {};
    }
    Status finish() {
      const std::lock_guard lock(mutex_);
      for (auto& [key, rows] : groups_) EXPECT_TRUE(out_.emplace(key, rows).second);
      return {};
    }

   private:
    std::mutex& mutex_;
    std::map<Key128, std::vector<WideRow>>& out_;
    std::map<Key128, std::vector<WideRow>> groups_;
    Key128 last_;
  };
  std::mt19937_64 random(12);
  std::vector<WideRow> rows;
  std::map<Key128, std::set<std::pair<std::uint64_t, std::uint64_t>>> expected;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const Key128 key{mix64(random() % 4500), random() % 3};
    rows.push_back({key, random() % 8, i});
    expected[key].emplace(rows.back().payload, i);
  }
  std::erase_if(expected, [](const auto& group) { return group.second.size() < 2; });
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{1} << 26}) {
    for (const unsigned threads : {1U, 2U, 7U}) {
      ScratchFolder folder;
      const RunContext context = context_on(disk(), threads);
      PartitionedRows<WideRow> store(
          {.context = &context, .path = folder / "keys", .memory_bytes = memory});
      ASSERT_TRUE(append_from_threads(context, store, rows, 1000).ok());
      std::mutex mutex;
      std::map<Key128, std::vector<WideRow>> found;
      ASSERT_TRUE(store
                      .for_each_group([](const WideRow&) { return true; }, ByPayload{},
                                      [&](unsigned) { return Collect(mutex, found); })
                      .ok());
      ASSERT_EQ(found.size(), expected.size());
      for (const auto& [key, group] : found) {
        ASSERT_TRUE(std::equal(group.begin(), group.end(), expected[key].begin(),
                               expected[key].end(), [](const WideRow& row, const auto& pair) {
                                 return std::pair(row.payload, row.value) == pair;
                               }));
      }
    }
  }
}

// Rows equal under less but not in bytes: one stays, and always the same one.
TEST(PartitionedRows, OfEqualRowsTheLeastBytesStay) {
  struct ByHalf {
    bool operator()(const KeyedRow& a, const KeyedRow& b) const {
      return a.value / 256 < b.value / 256;
    }
  };
  std::vector<KeyedRow> rows;
  for (std::uint64_t i = 0; i < 20'000; ++i) rows.push_back({mix64(i % 500), i % 2048});
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{1} << 26}) {
    std::vector<std::vector<Groups::Group>> seen;
    for (int order = 0; order < 3; ++order) {
      std::shuffle(rows.begin(), rows.end(), std::mt19937_64(static_cast<unsigned>(order)));
      ScratchFolder folder;
      const RunContext context = context_on(disk());
      PartitionedRows<KeyedRow> store(
          {.context = &context, .path = folder / "keys", .memory_bytes = memory}, 0);
      ASSERT_TRUE(store.append(rows).ok());
      Groups groups;
      ASSERT_TRUE(store
                      .for_each_group([](KeyedRow&) { return true; }, ByHalf{},
                                      [&](unsigned) { return Groups::Visitor(groups); })
                      .ok());
      seen.push_back(groups.sorted());
      for (const Groups::Group& group : seen.back()) {
        for (std::size_t i = 1; i < group.rows.size(); ++i) {
          EXPECT_LT(group.rows[i - 1].value / 256, group.rows[i].value / 256);
        }
      }
    }
    EXPECT_FALSE(seen[0].empty());
    EXPECT_EQ(seen[0], seen[1]);
    EXPECT_EQ(seen[0], seen[2]);
  }
}

// keep() may rewrite all but the key; rows are ordered and seen as rewritten.
TEST(PartitionedRows, KeepMayRewriteRows) {
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{1} << 26}) {
    ScratchFolder folder;
    const RunContext context = context_on(disk());
    PartitionedRows<KeyedRow> store(
        {.context = &context, .path = folder / "keys", .memory_bytes = memory});
    std::vector<KeyedRow> rows;
    for (std::uint64_t i = 0; i < 30'000; ++i) rows.push_back({mix64(i / 3), i});
    ASSERT_TRUE(store.append(rows).ok());
    Groups groups;
    const auto keep = [](KeyedRow& row) {
      row.value = 1'000'000 - row.value;
      return true;
    };
    ASSERT_TRUE(
        store.for_each_group(keep, ByValue{}, [&](unsigned) { return Groups::Visitor(groups); })
            .ok());
    const auto sorted = groups.sorted();
    ASSERT_EQ(sorted.size(), 10'000U);
    for (const Groups::Group& group : sorted) {
      ASSERT_EQ(group.rows.size(), 3U);
      EXPECT_EQ(group.rows[0].value + 2, group.rows[2].value);
      EXPECT_GT(group.rows[0].value, 900'000U);
    }
  }
}

TEST(PartitionedRows, EmptyHasNoGroups) {
  ScratchFolder folder;
  const RunContext context = context_on(disk(), 3);
  PartitionedRows<KeyedRow> store({.context = &context, .path = folder / "keys"});
  EXPECT_TRUE(groups_of(store).value().empty());
  EXPECT_TRUE(store.append({}).ok());
  EXPECT_TRUE(groups_of(store).value().empty());
}

// A killed run leaves its file as it was; the next one continues from the last checkpoint with
// other memory and threads.
TEST(PartitionedRows, GoesOnFromItsCheckpoint) {
  const std::vector<KeyedRow> rows = rows_of_shape("pairs and copies", 20'000, 5);
  const std::span<const KeyedRow> all(rows);
  const auto expected = expected_groups(rows);
  for (const std::uint64_t first_memory : {std::uint64_t{0}, std::uint64_t{8} << 20}) {
    for (const std::uint64_t second_memory : {std::uint64_t{0}, std::uint64_t{64} << 20}) {
      for (const std::size_t before : {0, 1, 8000, 20'000}) {
        SCOPED_TRACE(std::to_string(first_memory) + " " + std::to_string(second_memory) + " " +
                     std::to_string(before));
        ScratchFolder folder;
        const RunContext context = context_on(disk(), 2);
        std::vector<PartLength> lengths;
        {
          PartitionedRows<KeyedRow> store({.context = &context,
                                           .path = folder / "keys",
                                           .memory_bytes = first_memory,
                                           .fingerprint = 9});
          std::vector<PartLength> earlier;
          ASSERT_TRUE(store.append(all.first(before / 2)).ok());
          ASSERT_TRUE(store.checkpoint(earlier).ok());
          ASSERT_TRUE(store.append(all.subspan(before / 2, before - before / 2)).ok());
          ASSERT_TRUE(store.checkpoint(lengths).ok());
          ASSERT_TRUE(store.append(rows_of_shape("half one key", 12'000, 6)).ok());  // Lost.
          std::vector<PartLength> later;
          ASSERT_TRUE(store.checkpoint(later).ok());
        }
        ASSERT_EQ(lengths.size(), 1U);
        EXPECT_EQ(lengths[0].rows, before);
        put_file(lengths[0].path, file_bytes(lengths[0].path) + "torn by the kill");
        const RunContext resumed = context_on(disk(), 1);
        PartitionedRows<KeyedRow> store({.context = &resumed,
                                         .path = folder / "keys",
                                         .memory_bytes = second_memory,
                                         .fingerprint = 9});
        const Status restored = store.restore(lengths);
        ASSERT_TRUE(restored.ok()) << restored.error().message;
        EXPECT_EQ(store.rows().value(), before);
        ASSERT_TRUE(store.append(all.subspan(before)).ok());
        const auto groups = groups_of(store);
        ASSERT_TRUE(groups.ok()) << groups.error().message;
        ASSERT_TRUE(groups.value() == expected);
        ASSERT_TRUE(store.discard().ok());
        EXPECT_EQ(files_in(folder), 0U);
      }
    }
  }
}

TEST(PartitionedRows, RestoreRefusesWhatItDidNotWrite) {
  ScratchFolder folder;
  const RunContext context = context_on(disk());
  const RowsOptions options{.context = &context, .path = folder / "keys", .fingerprint = 9};
  std::vector<PartLength> lengths;
  {
    PartitionedRows<KeyedRow> store(options);
    ASSERT_TRUE(store.append(rows_of_shape("mostly single", 100, 5)).ok());
    ASSERT_TRUE(store.checkpoint(lengths).ok());
  }
  const auto refused = [&](std::vector<PartLength> changed, RowsOptions with) {
    return !PartitionedRows<KeyedRow>(with).restore(changed).ok();
  };
  const std::string path = lengths[0].path;
  const std::string whole = file_bytes(path);
  EXPECT_FALSE(refused(lengths, options));
  put_file(path, whole);
  std::vector<PartLength> changed = lengths;
  changed[0].rows += 1;
  EXPECT_TRUE(refused(changed, options));
  changed = lengths;
  changed[0].bytes += 1;
  EXPECT_TRUE(refused(changed, options));
  EXPECT_TRUE(refused({}, options));
  RowsOptions other = options;
  other.fingerprint = 10;
  EXPECT_TRUE(refused(lengths, other));
  put_file(path, whole.substr(0, whole.size() - 1));
  EXPECT_TRUE(refused(lengths, options));
}

// Any byte of the file changed between adding and grouping: an Error.
TEST(PartitionedRows, EveryDamagedByteIsAnError) {
  ScratchFolder folder;
  const RunContext context = context_on(disk());
  std::vector<KeyedRow> rows;
  for (std::uint64_t i = 0; i < 60; ++i) rows.push_back({mix64(i / 2), i});
  const RowsOptions options{.context = &context, .path = folder / "keys", .fingerprint = 9};
  std::vector<PartLength> lengths;
  {
    PartitionedRows<KeyedRow> store(options, 2);
    ASSERT_TRUE(store.append(rows).ok());
    ASSERT_TRUE(store.checkpoint(lengths).ok());
  }
  const std::string path = lengths[0].path;
  const std::string whole = file_bytes(path);
  const auto expected = expected_groups(rows);
  const auto read = [&]() -> Result<std::vector<Groups::Group>> {
    PartitionedRows<KeyedRow> store(options, 2);
    TWINSET_TRY(store.restore(lengths));
    return groups_of(store);
  };
  ASSERT_EQ(read().value(), expected);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    flip_byte(path, i, 0x41);
    ASSERT_FALSE(read().ok()) << "byte " << i;
    flip_byte(path, i, 0x41);
  }
  ASSERT_EQ(read().value(), expected);
  for (std::size_t size = whole.size(); size-- > 0;) {
    std::filesystem::resize_file(path, size);
    ASSERT_FALSE(read().ok()) << size << " bytes";
  }
}

TEST(PartitionedRows, EveryFailingOperationIsAnError) {
  const std::vector<KeyedRow> rows = rows_of_shape("half one key", 40'000, 3);
  const auto expected = expected_groups(rows);
  for (const auto lasting : {FaultyFiles::Lasting::once, FaultyFiles::Lasting::for_ever}) {
    std::uint64_t operation = 0;
    for (bool failed = true; failed; operation += operation < 40 ? 1 : 7) {
      ScratchFolder folder;
      FaultyFiles files(disk());
      files.fail_at(operation, FaultyFiles::Fault::short_transfer, lasting);
      const RunContext context = context_on(files, 2);
      const auto groups = [&]() -> Result<std::vector<Groups::Group>> {
        PartitionedRows<KeyedRow> store({.context = &context, .path = folder / "keys"}, 3);
        TWINSET_TRY(append_from_threads(context, store, rows, 3000));
        std::vector<PartLength> lengths;
        TWINSET_TRY(store.checkpoint(lengths));
        auto found = groups_of(store);
        failed = files.failed();
        return found;
      }();
      if (files.failed() && !groups.ok()) {
        EXPECT_TRUE(tells_of_full_disk(groups.error(), folder)) << groups.error().message;
        failed = true;
      } else {
        // Removing a leftover file may fail unseen, which is harmless.
        ASSERT_TRUE(groups.ok());
        ASSERT_TRUE(groups.value() == expected) << "operation " << operation;
      }
      ASSERT_LT(operation, 20'000U);
    }
    EXPECT_GT(operation, 40U);
  }
}

TEST(PartitionedRows, StopsWhenCancelled) {
  ScratchFolder folder;
  std::atomic<bool> cancel = false;
  RunContext context = context_on(disk(), 2);
  context.cancel = &cancel;
  const std::vector<KeyedRow> rows = rows_of_shape("pairs and copies", 50'000, 3);
  PartitionedRows<KeyedRow> store({.context = &context, .path = folder / "keys"});
  ASSERT_TRUE(store.append(rows).ok());
  struct Canceller {
    std::atomic<bool>* flag;
    Status row(const KeyedRow&, bool) {
      *flag = true;
      return {};
    }
    Status finish() { return {}; }
  };
  const Status grouped = store.for_each_group([](KeyedRow&) { return true; }, ByValue{},
                                              [&](unsigned) { return Canceller{&cancel}; });
  ASSERT_FALSE(grouped.ok());
  EXPECT_EQ(grouped.error().code, ErrorCode::interrupted);
  EXPECT_EQ(store.append(rows).error().code, ErrorCode::interrupted);
}

TEST(PartitionedRows, AVisitorsErrorEndsTheWork) {
  ScratchFolder folder;
  const RunContext context = context_on(disk(), 2);
  PartitionedRows<KeyedRow> store({.context = &context, .path = folder / "keys"});
  ASSERT_TRUE(store.append(rows_of_shape("pairs and copies", 5000, 3)).ok());
  struct Refuser {
    Status row(const KeyedRow&, bool) { return io_error("no more"); }
    Status finish() { return {}; }
  };
  const Status grouped = store.for_each_group([](KeyedRow&) { return true; }, ByValue{},
                                              [](unsigned) { return Refuser(); });
  ASSERT_FALSE(grouped.ok());
  EXPECT_EQ(grouped.error().message, "no more");
}

// B-11, B-32: on many times the budget, on any number of threads.
// Ten times the budget in rows, spread and skewed: memory stays within it.
TEST(PartitionedRows, PeakMemoryStaysWithinTheBudget) {
  if (!memory_can_be_measured) GTEST_SKIP() << "not under a sanitizer";
  constexpr std::uint64_t budget = std::uint64_t{8} << 20;
  constexpr std::uint64_t slack = std::uint64_t{3} << 20;  // Threads, tables, the C library.
  for (const bool skewed : {false, true}) {
    for (const unsigned threads : {1U, 2U}) {
      const std::uint64_t growth = peak_growth([&] {
        ScratchFolder folder;
        const RunContext context = context_on(disk(), threads);
        PartitionedRows<KeyedRow> store(
            {.context = &context, .path = folder / "keys", .memory_bytes = budget});
        std::vector<KeyedRow> batch(8192);
        std::mt19937_64 random(1);
        for (std::uint64_t added = 0; added * sizeof(KeyedRow) < 10 * budget;) {
          for (KeyedRow& row : batch) {
            row = {skewed ? 42 : mix64(random() % 1'000'000), added++};
          }
          if (!store.append(batch).ok()) return false;
        }
        struct Counter {
          std::uint64_t rows = 0;
          Status row(const KeyedRow&, bool) {
            ++rows;
            return {};
          }
          Status finish() { return rows > 0 ? Status() : io_error("nothing seen"); }
        };
        return store
                   .for_each_group([](KeyedRow&) { return true; }, ByValue{},
                                   [](unsigned) { return Counter(); })
                   .ok() ||
               skewed;
      });
      EXPECT_GT(growth, budget / 4) << "skewed " << skewed << ", " << threads << " threads";
      EXPECT_LT(growth, budget + budget / 10 + slack)
          << "skewed " << skewed << ", " << threads << " threads";
      RecordProperty("peak", static_cast<int>(growth));
    }
  }
}

// B-32: the rows of a shard join those of others as if all had been added here.
TEST(PartitionedRows, TakesOverTheRowsOfOthersUpToTheirCheckpoints) {
  const std::vector<KeyedRow> rows = rows_of_shape("pairs and copies", 20'000, 5);
  const std::span<const KeyedRow> all(rows);
  const auto expected = expected_groups(rows);
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{64} << 20}) {
    ScratchFolder folder;
    const RunContext context = context_on(disk(), 2);
    const auto options = [&](const std::string& name, std::uint64_t bytes) {
      return RowsOptions{&context, folder / name, bytes, 9};
    };
    std::vector<PartLength> lengths;
    for (const std::size_t first : {0, 7'000, 7'000}) {  // The second is empty.
      PartitionedRows<KeyedRow> shard(options("shard" + std::to_string(lengths.size()), 8 << 20));
      const std::size_t count = lengths.size() == 1 ? 0 : first == 0 ? 7'000 : 13'000;
      ASSERT_TRUE(shard.append(all.subspan(first, count)).ok());
      ASSERT_TRUE(shard.checkpoint(lengths).ok());
      ASSERT_TRUE(shard.append(rows_of_shape("half one key", 12'000, 6)).ok());
      std::vector<PartLength> later;
      ASSERT_TRUE(shard.checkpoint(later).ok());
    }
    const std::string bytes = file_bytes(lengths[0].path);
    {
      PartitionedRows<KeyedRow> store(options("all", memory));
      for (const PartLength& length : lengths) {
        const Status taken = store.take_over(length);
        ASSERT_TRUE(taken.ok()) << taken.error().message;
      }
      EXPECT_EQ(store.rows().value(), 20'000U);
      const auto groups = groups_of(store);
      ASSERT_TRUE(groups.ok()) << groups.error().message;
      EXPECT_TRUE(groups.value() == expected);
    }
    EXPECT_EQ(file_bytes(lengths[0].path), bytes);
    PartitionedRows<KeyedRow> store(options("none", memory));
    PartLength longer = lengths[0];
    ++longer.rows;
    EXPECT_FALSE(store.take_over(longer).ok());
    std::string damaged = bytes;
    damaged[damaged.size() / 4] ^= 1;
    put_file(lengths[0].path, damaged);
    EXPECT_FALSE(store.take_over(lengths[0]).ok());
  }
}

}  // namespace
}  // namespace twinset::testing

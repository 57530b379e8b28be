// RowLog: whatever happens, it holds the batches up to some moment, all synced ones included, each
// once.
#include "rows/row_log.h"

#include <functional>

#include "rows/rows_testing.h"
#include "support/faulty_files.h"
#include "support/power_loss_files.h"
#include "system/memory_files.h"

namespace twinset::testing {
namespace {

using Log = RowLog<KeyedRow>;
const TableKind kind{"seen", 1, 7};

/// Batch `number`: 1 to 500 rows that no other batch has.
std::vector<KeyedRow> batch(std::uint64_t number) {
  std::vector<KeyedRow> rows;
  for (std::uint64_t i = 0; i <= mix64(number) % 500; ++i) {
    rows.push_back({mix64(number << 32 | i), number});
  }
  return rows;
}

/// The first `count` batches, sorted.
std::vector<KeyedRow> batches(std::uint64_t count) {
  std::vector<KeyedRow> rows;
  for (std::uint64_t number = 0; number < count; ++number) {
    const std::vector<KeyedRow> more = batch(number);
    rows.insert(rows.end(), more.begin(), more.end());
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// All that the log and its table hold, sorted.
Result<std::vector<KeyedRow>> held_by(const Log& log) {
  TWINSET_ASSIGN(std::vector<KeyedRow> rows, rows_of(log.read()));
  EXPECT_EQ(rows.size(), log.rows());
  if (log.table() != nullptr) {
    TWINSET_ASSIGN(const std::vector<KeyedRow> frozen, rows_of(log.table()->read()));
    rows.insert(rows.end(), frozen.begin(), frozen.end());
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// Makes all rows of the log its table.
Status freeze(const RunContext& context, Log& log) {
  SortedRows<KeyedRow, ByKeyAndValue> sorted({.context = &context, .path = "sort"});
  const auto add = [&](const KeyedRow& row) { return sorted.append(row); };
  TWINSET_TRY(for_each_row(log, add));
  if (log.table() != nullptr) TWINSET_TRY(for_each_row(*log.table(), add));
  TWINSET_TRY(sorted.seal());
  TWINSET_ASSIGN(const auto cursor, sorted.read());
  return log.freeze(*cursor);
}

/// The number of batches in the log of `path`; an Error if they are not the first ones.
Result<std::uint64_t> batches_in(FileSystem& files, const std::string& path) {
  const RunContext context = context_on(files);
  TWINSET_ASSIGN(const auto log, Log::open(context, path, kind));
  TWINSET_ASSIGN(const std::vector<KeyedRow> rows, held_by(*log));
  std::uint64_t count = 0;
  for (const KeyedRow& row : rows) count = std::max(count, row.value + 1);
  if (rows != batches(count)) return io_error("rows are missing, or are there twice");
  return count;
}

/// A life of a log: batches, some of them synced, and two freezes. Says how far it came.
struct Life {
  std::uint64_t appended = 0;
  std::uint64_t synced = 0;  ///< batches promised to last

  Status live(FileSystem& files, const std::string& path) {
    const RunContext context = context_on(files);
    TWINSET_ASSIGN(auto log, Log::open(context, path, kind));
    for (const char step : std::string("aasafaaasasaafas")) {
      if (step == 'a') {
        TWINSET_TRY(log->append(batch(appended)));
        ++appended;
      } else {
        TWINSET_TRY(step == 's' ? log->sync() : freeze(context, *log));
        synced = appended;
      }
    }
    return {};
  }
};

TEST(RowLog, HoldsWhatWasAppended) {
  const ScratchFolder folder;
  const RunContext context = context_on(disk());
  std::uint64_t appended = 0;
  for (int times = 0; times < 4; ++times) {
    auto log = Log::open(context, folder / "x", kind);
    ASSERT_TRUE(log.ok()) << log.error().message;
    EXPECT_EQ(log.value()->cut_bytes(), 0U);
    EXPECT_EQ(held_by(*log.value()).value(), batches(appended));
    ASSERT_TRUE(log.value()->append({}).ok());
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(log.value()->append(batch(appended++)).ok());
    EXPECT_EQ(held_by(*log.value()).value(), batches(appended));
    if (times == 2) {
      ASSERT_TRUE(freeze(context, *log.value()).ok());
      EXPECT_EQ(log.value()->rows(), 0U);
      EXPECT_EQ(held_by(*log.value()).value(), batches(appended));
      EXPECT_EQ(log.value()->table()->find(batch(4)[0].key).value().front(), batch(4)[0]);
      ASSERT_TRUE(log.value()->append(batch(appended++)).ok());
      ASSERT_TRUE(log.value()->sync().ok());
    }
  }
  // Rows are read in the order they were appended in.
  auto log = Log::open(context, folder / "x", kind);
  const std::vector<KeyedRow> rows = rows_of(log.value()->read()).value();
  EXPECT_EQ(rows.front(), batch(9)[0]);
  EXPECT_EQ(rows.back(), batch(12).back());
  EXPECT_EQ(files_in(folder), 2U);
}

TEST(RowLog, AFreezeOfTheSameRowsKeepsTheTable) {
  const ScratchFolder folder;
  const RunContext context = context_on(disk());
  auto log = Log::open(context, folder / "x", kind);
  ASSERT_TRUE(freeze(context, *log.value()).ok());  // with no rows
  EXPECT_EQ(log.value()->table()->rows(), 0U);
  ASSERT_TRUE(log.value()->append(batch(0)).ok());
  for (int times = 0; times < 2; ++times) {
    ASSERT_TRUE(freeze(context, *log.value()).ok());
    EXPECT_EQ(held_by(*log.value()).value(), batches(1));
    EXPECT_EQ(files_in(folder), 2U);
  }
  EXPECT_EQ(batches_in(disk(), folder / "x").value(), 1U);
}

TEST(RowLog, IsOfOneKindAndFingerprint) {
  const ScratchFolder folder;
  const RunContext context = context_on(disk());
  const std::string path = folder / "x";
  ASSERT_TRUE(Log::open(context, path, kind).ok());
  const auto told = [&](const TableKind& other) {
    return Log::open(context, path, other).error().message;
  };
  EXPECT_EQ(told({"index", 1, 7}),
            path +
                ".log is not a log of \"index\" version 1; give another path, "
                "or remove it");
  EXPECT_EQ(told({"seen", 2, 7}), path +
                                      ".log is not a log of \"seen\" version 2; give another path, "
                                      "or remove it");
  EXPECT_NE(told({"seen", 1, 8}).find("fingerprint"), std::string::npos);
  EXPECT_FALSE((RowLog<Fingerprint, Fingerprint>::open(context, path, {"seen", 1, 8}).ok()));
}

TEST(RowLog, AMissingOrExchangedTableIsAnError) {
  const ScratchFolder folder;
  ASSERT_TRUE(Life().live(disk(), folder / "x").ok());
  ASSERT_TRUE(Life().live(disk(), folder / "y").ok());
  std::string table;
  for (const std::string& name : disk().list(folder.path()).value()) {
    if (name.starts_with("x.") && name.ends_with(".table")) table = folder / name;
  }
  const RunContext context = context_on(disk());
  TableWriter<KeyedRow> writer(context, table, kind, "another");
  ASSERT_TRUE(writer.finish().ok());
  EXPECT_EQ(batches_in(disk(), folder / "x").error().message,
            table + " is another table than its name says; take a copy of the right one");
  ASSERT_TRUE(disk().remove_file(table).ok());
  EXPECT_EQ(batches_in(disk(), folder / "x").error().message,
            "cannot open " + table + ": there is no such file");
}

TEST(RowLog, RemovesLeftOverTablesOfItsOwnOnly) {
  const ScratchFolder folder;
  ASSERT_TRUE(Life().live(disk(), folder / "x").ok());
  ASSERT_TRUE(Life().live(disk(), folder / "x.more").ok());
  const std::size_t before = files_in(folder);
  const std::string digits = std::string(32, 'a');
  for (const std::string& mine : {"x." + digits + ".table", std::string("x.new.table.partial")}) {
    folder.write(mine, "left over");
  }
  for (const std::string& foreign : {"x." + digits + "g.table", "y." + digits + ".table"}) {
    folder.write(foreign, "kept");
  }
  EXPECT_TRUE(batches_in(disk(), folder / "x").ok());
  EXPECT_EQ(files_in(folder), before + 2);
  EXPECT_TRUE(batches_in(disk(), folder / "x.more").ok());
}

/// A log of four batches, each synced.
std::string synced_log(MemoryFiles& files) {
  const RunContext context = context_on(files);
  auto log = Log::open(context, "x", kind);
  for (std::uint64_t number = 10; number < 14; ++number) {
    const std::vector<KeyedRow> rows = batch(number);
    EXPECT_TRUE(log.value()->append(std::span(rows).first(number % 3 + 1)).ok());
    EXPECT_TRUE(log.value()->sync().ok());
  }
  return files.read("x.log");
}

TEST(RowLog, ADamagedByteIsAnErrorOrEndsTheLog) {
  MemoryFiles files;
  const std::string whole = synced_log(files);
  const RunContext context = context_on(files);
  const std::vector<KeyedRow> all = rows_of(Log::open(context, "x", kind).value()->read()).value();
  const std::size_t last = whole.size() - block_bytes(2, sizeof(KeyedRow));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const int flip : {0x01, 0x80, 0xff}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ flip);
      ASSERT_TRUE(files.write("x.log", bytes).ok());
      auto log = Log::open(context, "x", kind);
      // Only the last batch cannot be told from one that was never synced.
      ASSERT_EQ(log.ok(), i >= last) << "byte " << i;
      if (!log.ok()) {
        EXPECT_TRUE(log.error().message.starts_with("x.log ")) << log.error().message;
        EXPECT_EQ(files.read("x.log"), bytes) << "an Error changes nothing";
        continue;
      }
      EXPECT_EQ(log.value()->cut_bytes(), whole.size() - last);
      std::vector<KeyedRow> rows = rows_of(log.value()->read()).value();
      EXPECT_EQ(rows, std::vector(all.begin(), all.end() - 2));
    }
  }
}

TEST(RowLog, ATruncatedLogEndsWithItsLastWholeBatch) {
  MemoryFiles files;
  const std::string whole = synced_log(files);
  const RunContext context = context_on(files);
  const std::size_t head = file_header_bytes + block_bytes(2, sizeof(KeyedRow));
  std::vector<std::size_t> ends = {head};
  for (const std::size_t rows : {2, 3, 1, 2}) {
    ends.push_back(ends.back() + block_bytes(rows, sizeof(KeyedRow)));
  }
  ASSERT_EQ(ends.back(), whole.size());
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    ASSERT_TRUE(files.write("x.log", whole.substr(0, size)).ok());
    auto log = Log::open(context, "x", kind);
    ASSERT_EQ(log.ok(), size >= head) << size << " bytes";
    if (!log.ok()) continue;
    const std::size_t kept = *std::prev(std::upper_bound(ends.begin(), ends.end(), size));
    EXPECT_EQ(log.value()->cut_bytes(), size - kept);
    EXPECT_EQ(files.read("x.log"), whole.substr(0, kept));
    ASSERT_TRUE(log.value()->append(batch(1)).ok());
    EXPECT_EQ(rows_of(log.value()->read()).value().back(), batch(1).back());
  }
}

TEST(RowLog, EveryFailingOperationIsAnErrorAndLosesNothing) {
  using Fault = FaultyFiles::Fault;
  for (const auto fault : {Fault::no_space, Fault::short_transfer}) {
    for (const auto lasting : {FaultyFiles::Lasting::once, FaultyFiles::Lasting::for_ever}) {
      for (std::uint64_t operation = 0;; ++operation) {
        ASSERT_LT(operation, 2000U);
        MemoryFiles below;
        FaultyFiles files(below);
        files.fail_at(operation, fault, lasting);
        Life life;
        const Status lived = life.live(files, "x");
        // A new process follows the killed one.
        const auto left = batches_in(below, "x");
        ASSERT_TRUE(left.ok()) << "operation " << operation << ": " << left.error().message;
        EXPECT_GE(left.value(), life.synced);
        EXPECT_LE(left.value(), life.appended + 1);
        if (!files.failed()) {
          EXPECT_TRUE(lived.ok());
          EXPECT_EQ(left.value(), life.appended);
          break;
        }
        EXPECT_TRUE(lasting == FaultyFiles::Lasting::once || !lived.ok());
      }
    }
  }
}

TEST(RowLog, AfterAFailureItTakesNothingMore) {
  MemoryFiles below;
  for (const bool sync_fails : {false, true}) {
    FaultyFiles files(below);
    const RunContext context = context_on(files);
    auto log = Log::open(context, "x", kind);
    const std::vector<KeyedRow> rows = batch(0);
    ASSERT_TRUE(log.value()->append(rows).ok());
    files.fail_at(0, FaultyFiles::Fault::short_transfer, FaultyFiles::Lasting::once);
    EXPECT_FALSE(sync_fails ? log.value()->sync().ok() : log.value()->append(rows).ok());
    EXPECT_EQ(log.value()->append(rows).error().message, "x.log failed before; open it again");
    EXPECT_EQ(log.value()->sync().error().message, "x.log failed before; open it again");
  }
}

using Loss = PowerLossFiles::Loss;
using Ignored = PowerLossFiles::Ignored;

/// Power is lost at sync point `k` of a life. Describes what is wrong afterwards; empty if nothing.
std::string lost(std::uint64_t k, Loss loss, std::uint64_t seed,
                 Ignored ignored = Ignored::nothing) {
  PowerLossFiles files;
  files.ignore(ignored);
  files.lose_power_at(k);
  Life life;
  const Status lived = life.live(files, "x");
  if (!lived.ok() && !files.power_is_lost()) return "failed: " + lived.error().message;
  files.restore_power(loss, seed);
  // Power is lost once more while the log is opened again.
  files.lose_power_at(seed % 3);
  const auto first_look = batches_in(files, "x");
  files.restore_power(loss, seed + 1);
  const auto left = batches_in(files, "x");
  if (!left.ok()) return left.error().message;
  if (left.value() < life.synced) return "a synced batch is lost";
  if (left.value() > life.appended + 1) return "a batch of nobody's";
  if (first_look.ok() && first_look.value() != left.value()) return "a batch that was seen is lost";
  return "";
}

TEST(RowLog, APowerLossLosesNothingThatWasSynced) {
  PowerLossFiles files;
  Life life;
  ASSERT_TRUE(life.live(files, "x").ok());
  const std::uint64_t points = files.sync_points();
  ASSERT_GT(points, 15U);
  for (const Loss loss : {Loss::dropped, Loss::torn, Loss::reordered}) {
    for (std::uint64_t k = 0; k <= points; ++k) {
      for (std::uint64_t seed = 0; seed < 4; ++seed) {
        ASSERT_EQ(lost(k, loss, seed), "") << "sync point " << k << ", seed " << seed;
      }
    }
  }
}

TEST(RowLog, AMissingSyncWouldBeSeen) {
  for (const Ignored ignored : {Ignored::files, Ignored::folders}) {
    bool seen = false;
    for (std::uint64_t k = 0; k < 25 && !seen; ++k) {
      seen = !lost(k, Loss::dropped, k, ignored).empty();
    }
    EXPECT_TRUE(seen);
  }
}

}  // namespace
}  // namespace twinset::testing

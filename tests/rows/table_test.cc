// Table: the frozen rows are found, under a name that only their content decides, and nothing else
// ever is.
#include "rows/table.h"

#include <functional>
#include <map>

#include "base/file_header.h"
#include "rows/rows_testing.h"
#include "support/faulty_files.h"
#include "support/power_loss_files.h"
#include "system/memory_files.h"

namespace twinset::testing {
namespace {

/// A key of 16 bytes and a payload.
struct WideRow {
  Fingerprint key;
  std::uint64_t value = 0;
  auto operator<=>(const WideRow&) const = default;
};

const TableKind lexicon{"lexicon", 3, 7};

std::vector<KeyedRow> made_rows(std::size_t count,
                                const std::function<std::uint64_t(std::size_t)>& key) {
  std::vector<KeyedRow> rows;
  for (std::size_t i = 0; i < count; ++i) rows.push_back({key(i), i});
  std::stable_sort(rows.begin(), rows.end(),
                   [](const KeyedRow& a, const KeyedRow& b) { return a.key < b.key; });
  return rows;
}
std::vector<KeyedRow> hashed(std::size_t count) {
  return made_rows(count, [](std::size_t i) { return mix64(i + 1); });
}

template <class Row>
Result<Fingerprint> write_table(FileSystem& files, const std::string& path,
                                const std::vector<Row>& rows, std::uint32_t block_bytes = 8192,
                                std::size_t batch = 1000, const TableKind& kind = lexicon,
                                const std::string& description = "of a test") {
  using Key = decltype(Row::key);
  const RunContext context = context_on(files);
  TableWriter<Row, Key> writer(context, path, kind, description, block_bytes);
  for (std::size_t at = 0; at < rows.size(); at += batch) {
    TWINSET_TRY(writer.append(std::span(rows).subspan(at, std::min(batch, rows.size() - at))));
  }
  return writer.finish();
}

using OneWord = Table<KeyedRow>;
using TwoWords = Table<WideRow, Fingerprint>;

/// Every row as find() has it for each key, and as read() has it.
Status find_all(const OneWord& table, const std::vector<KeyedRow>& rows) {
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t end = i;
    while (end < rows.size() && rows[end].key == rows[i].key) ++end;
    TWINSET_ASSIGN(const std::span<const KeyedRow> found, table.find(rows[i].key));
    EXPECT_TRUE(std::equal(found.begin(), found.end(), rows.begin() + i, rows.begin() + end));
    i = end;
  }
  Result<std::vector<KeyedRow>> read = rows_of(table.read());
  TWINSET_TRY(read);
  EXPECT_EQ(read.value(), rows);
  return {};
}

TEST(Table, FindsEveryRowAndNoOther) {
  const std::function<std::uint64_t(std::size_t)> keys[] = {
      [](std::size_t i) { return mix64(i); },                            // as hashes are
      [](std::size_t i) { return 2 * i; },                               // dense
      [](std::size_t i) { return std::uint64_t{1} << (i % 64); },        // skewed, many equal
      [](std::size_t) { return std::uint64_t{5}; },                      // all of one key
      [](std::size_t i) { return i % 3 == 0 ? 0 : ~std::uint64_t{0}; },  // the outermost
      [](std::size_t i) { return i < 9 ? i * i : ~std::uint64_t{0} - i; },
  };
  const ScratchFolder folder;
  for (const auto& key : keys) {
    for (const std::size_t count : {0, 1, 2, 511, 512, 513, 2000}) {
      for (const std::uint32_t block_bytes : {1, 64, 8192}) {
        const std::vector<KeyedRow> rows = made_rows(count, key);
        ASSERT_TRUE(write_table(disk(), folder / "t", rows, block_bytes).ok());
        auto table = OneWord::open(disk(), folder / "t", lexicon);
        ASSERT_TRUE(table.ok()) << table.error().message;
        EXPECT_EQ(table.value().rows(), count);
        EXPECT_EQ(table.value().description(), "of a test");
        ASSERT_TRUE(find_all(table.value(), rows).ok());
        ASSERT_TRUE(table.value().verify(context_on(disk())).ok());
        table.value().release();
        ASSERT_TRUE(find_all(table.value(), rows).ok()) << "released rows can be read again";
        // Missing keys next to existing ones.
        std::vector<std::uint64_t> asked = {0, ~std::uint64_t{0}};
        for (const KeyedRow& row : rows) {
          for (const std::uint64_t near : {row.key - 1, row.key, row.key + 1})
            asked.push_back(near);
        }
        std::sort(asked.begin(), asked.end());
        asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
        std::map<std::uint64_t, std::size_t> held;
        for (const KeyedRow& row : rows) ++held[row.key];
        for (const std::uint64_t key : asked) {
          const std::span<const KeyedRow> found = table.value().find(key).value();
          ASSERT_EQ(found.size(), held.contains(key) ? held[key] : 0U);
          for (const KeyedRow& row : found) ASSERT_EQ(row.key, key);
        }
      }
    }
  }
}

TEST(Table, KeysMayHaveTwoWords) {
  std::vector<WideRow> rows;
  for (std::uint64_t i = 0; i < 3000; ++i) rows.push_back({{i / 1000, mix64(i / 2)}, i});
  std::sort(rows.begin(), rows.end());
  MemoryFiles files;  // Cannot be mapped.
  ASSERT_TRUE(write_table(files, "t", rows).ok());
  auto table = TwoWords::open(files, "t", lexicon);
  ASSERT_TRUE(table.ok());
  for (const WideRow& row : rows) {
    ASSERT_EQ(table.value().find(row.key).value().size(), 2U);
    EXPECT_EQ(table.value().find({row.key.high, row.key.low + 1}).value().size(), 0U);
    EXPECT_EQ(table.value().find({row.key.high + 5, row.key.low}).value().size(), 0U);
  }
  EXPECT_TRUE(table.value().verify(context_on(files)).ok());
  EXPECT_EQ(rows_of(table.value().read()).value(), rows);
}

TEST(Table, ItsHashIsOfItsContentAlone) {
  MemoryFiles files;
  const std::vector<KeyedRow> rows = hashed(10'000);
  const Fingerprint hash = write_table(files, "t", rows).value();
  EXPECT_EQ(OneWord::open(files, "t", lexicon).value().hash(), hash);
  for (const std::uint32_t block_bytes : {1, 100, 1 << 20}) {
    for (const std::size_t batch : {1, 7, 10'000}) {
      EXPECT_EQ(write_table(files, "other", rows, block_bytes, batch).value(), hash);
      EXPECT_EQ(OneWord::open(files, "other", lexicon).value().hash(), hash);
    }
  }
  EXPECT_EQ(fingerprint_text(hash).size(), 32U);
  std::vector<Fingerprint> all = {hash};
  const auto add = [&](const std::vector<KeyedRow>& other, const TableKind& kind,
                       const std::string& description) {
    all.push_back(write_table(files, "o", other, 8192, 1000, kind, description).value());
  };
  add(rows, {"lexicon", 4, 7}, "of a test");
  add(rows, {"lexicon", 3, 8}, "of a test");
  add(rows, {"lexico", 3, 7}, "nof a test");
  add(rows, lexicon, "of a tesT");
  std::vector<KeyedRow> changed = rows;
  changed[5000].value ^= 1;
  add(changed, lexicon, "of a test");
  changed = rows;
  changed.pop_back();
  add(changed, lexicon, "of a test");
  add({}, lexicon, "of a test");
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
}

TEST(Table, RowsOutOfOrderAreAnError) {
  MemoryFiles files;
  const RunContext context = context_on(files);
  TableWriter<KeyedRow> writer(context, "t", lexicon, "");
  ASSERT_TRUE(writer.append(std::vector<KeyedRow>{{1, 0}, {5, 3}, {5, 1}}).ok());
  const Status added = writer.append(KeyedRow{4, 0});
  ASSERT_FALSE(added.ok());
  EXPECT_EQ(added.error().message,
            "the rows of t are not in the order of their keys: row 3 has a key before that of the "
            "row before it");
  EXPECT_FALSE(writer.append(KeyedRow{6, 0}).ok());
  EXPECT_FALSE(writer.finish().ok());
  EXPECT_EQ(files.status("t").value().kind, FileStatus::Kind::missing);
}

TEST(Table, AFileOfAnotherKindIsAnErrorThatSaysWhich) {
  const ScratchFolder folder;
  const std::string path = folder / "t";
  ASSERT_TRUE(write_table(disk(), path, hashed(10)).ok());
  const auto told = [&](const TableKind& kind) {
    const auto opened = OneWord::open(disk(), path, kind);
    return opened.ok() ? "" : opened.error().message.substr(path.size());
  };
  EXPECT_EQ(told(lexicon), "");
  EXPECT_EQ(told({"stop chunks", 3, 7}),
            " is a table of kind \"lexicon\" where \"stop chunks\" should be; give another file");
  EXPECT_EQ(told({"lexicon", 2, 7}),
            " is of \"lexicon\" version 3; this twinset reads version 2: make it again");
  EXPECT_NE(told({"lexicon", 3, 8}).find("fingerprint 0000000000000007, this run has"),
            std::string::npos);
  EXPECT_EQ((Table<WideRow>::open(disk(), path, lexicon).error().message),
            path + " has rows of 16 bytes where 24 are expected");
  EXPECT_EQ((Table<Fingerprint, Fingerprint>::open(disk(), path, lexicon).error().message),
            path + " has keys of 8 bytes where 16 are expected");
  EXPECT_EQ(OneWord::open(disk(), folder / "none", lexicon).error().message,
            "cannot open " + (folder / "none") + ": there is no such file");
  EXPECT_FALSE(OneWord::open(disk(), folder.path(), lexicon).ok());
  folder.write("t", encode_file_header({.format = "rows", .row_bytes = 16, .fingerprint = 7}));
  EXPECT_EQ(told(lexicon), " holds \"rows\" where \"table\" should be");
  folder.write("t", "{\"text\": \"no table\"}");
  EXPECT_EQ(told(lexicon), " is not a file twinset wrote");
  folder.write("t", "");
  EXPECT_NE(told(lexicon), "");
}

/// All of a table, by way of `files`.
Result<std::vector<KeyedRow>> open_and_read(FileSystem& files, const std::string& path) {
  TWINSET_ASSIGN(const OneWord table, OneWord::open(files, path, lexicon));
  return rows_of(table.read());
}

TEST(Table, EveryDamagedByteIsAnError) {
  const std::vector<KeyedRow> rows = hashed(20);
  MemoryFiles files;
  ASSERT_TRUE(write_table(files, "t", rows, 100).ok());
  const std::string whole = files.read("t");
  ASSERT_EQ(open_and_read(files, "t").value(), rows);
  const auto is_error = [&](const std::string& bytes) {
    EXPECT_TRUE(files.write("t", bytes).ok());
    const auto read = open_and_read(files, "t");
    if (read.ok()) return false;
    EXPECT_EQ(read.error().code, ErrorCode::io);
    EXPECT_TRUE(read.error().message.starts_with("t ")) << read.error().message;
    return true;
  };
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const int flip : {0x01, 0x80, 0xff}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ flip);
      ASSERT_TRUE(is_error(bytes)) << "byte " << i;
    }
  }
  for (std::size_t size = 0; size < whole.size(); ++size) {
    ASSERT_TRUE(is_error(whole.substr(0, size))) << size << " bytes";
  }
  EXPECT_TRUE(is_error(whole + 'x'));
  EXPECT_TRUE(is_error(whole + whole));
  // Two blocks exchanged.
  std::string exchanged = whole;
  std::swap_ranges(exchanged.begin() + 48, exchanged.begin() + 48 + 96,
                   exchanged.begin() + 48 + 96);
  EXPECT_TRUE(is_error(exchanged));
}

TEST(Table, ADamagedBlockLeavesTheOthersToBeFound) {
  const ScratchFolder folder;
  const std::vector<KeyedRow> rows = hashed(2000);
  ASSERT_TRUE(write_table(disk(), folder / "t", rows, 1600).ok());
  flip_byte(folder / "t", 48 + 16 * 1234, 1);  // In block 12 of 20, each of 100 rows.
  const auto table = OneWord::open(disk(), folder / "t", lexicon);
  ASSERT_TRUE(table.ok());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto found = table.value().find(rows[i].key);
    // The first key of the next block is searched at the end of the damaged one.
    if (i >= 1200 && i <= 1300) {
      ASSERT_FALSE(found.ok()) << i;
      EXPECT_EQ(found.error().message,
                (folder / "t") +
                    " is damaged: a block of rows fails its "
                    "checksum at byte 19248; make it again, or take a copy of it");
    } else {
      ASSERT_TRUE(found.ok()) << i;
      EXPECT_EQ(found.value().front(), rows[i]);
    }
  }
  EXPECT_FALSE(table.value().verify(context_on(disk())).ok());
}

TEST(Table, EveryFailingOperationIsAnErrorAndLeavesTheOldTable) {
  const std::vector<KeyedRow> old_rows = hashed(100);
  const std::vector<KeyedRow> rows = hashed(9000);
  using Fault = FaultyFiles::Fault;
  for (const auto fault : {Fault::no_space, Fault::short_transfer}) {
    for (const auto lasting : {FaultyFiles::Lasting::once, FaultyFiles::Lasting::for_ever}) {
      for (std::uint64_t operation = 0;; ++operation) {
        ASSERT_LT(operation, 1000U);
        const ScratchFolder folder;
        ASSERT_TRUE(write_table(disk(), folder / "t", old_rows).ok());
        folder.write("t.partial", "left by a killed run");
        FaultyFiles files(disk());
        files.fail_at(operation, fault, lasting);
        const auto hash = write_table(files, folder / "t", rows);
        const bool written = !files.failed();
        ASSERT_EQ(hash.ok(), written) << "operation " << operation;
        if (!written) {
          EXPECT_TRUE(tells_of_full_disk(hash.error(), folder)) << hash.error().message;
        }
        const auto read = open_and_read(disk(), folder / "t");
        ASSERT_TRUE(read.ok());
        EXPECT_TRUE(read.value() == rows || (!written && read.value() == old_rows));
        if (written) break;
      }
    }
  }
}

TEST(Table, IsReadWhereItCannotBeMapped) {
  const ScratchFolder folder;
  const std::vector<KeyedRow> rows = hashed(1000);
  ASSERT_TRUE(write_table(disk(), folder / "t", rows).ok());
  bool read_instead = false;
  for (std::uint64_t operation = 0;; ++operation) {
    FaultyFiles files(disk());
    files.fail_at(operation, FaultyFiles::Fault::io, FaultyFiles::Lasting::once);
    const auto read = open_and_read(files, folder / "t");
    if (read.ok()) {
      EXPECT_EQ(read.value(), rows);
    }
    if (!files.failed()) break;
    read_instead = read_instead || read.ok();
  }
  EXPECT_TRUE(read_instead);
}

TEST(Table, APowerLossLeavesTheOldOrTheNewTable) {
  using Loss = PowerLossFiles::Loss;
  const std::vector<KeyedRow> old_rows = hashed(10);
  const std::vector<KeyedRow> rows = hashed(9000);
  for (const Loss loss : {Loss::dropped, Loss::torn, Loss::reordered}) {
    for (std::uint64_t point = 0; point < 4; ++point) {
      for (std::uint64_t seed = 0; seed < 8; ++seed) {
        PowerLossFiles files;
        ASSERT_TRUE(write_table(files, "t", old_rows).ok());
        files.lose_power_at(point);
        const bool written = write_table(files, "t", rows).ok();
        files.restore_power(loss, seed);
        const auto read = open_and_read(files, "t");
        ASSERT_TRUE(read.ok()) << read.error().message;
        EXPECT_TRUE(read.value() == rows || (!written && read.value() == old_rows));
        ASSERT_TRUE(write_table(files, "t", rows).ok());
      }
    }
  }
}

TEST(Table, IsFoundInByManyThreads) {
  const ScratchFolder folder;
  const std::vector<KeyedRow> rows = hashed(20'000);
  ASSERT_TRUE(write_table(disk(), folder / "t", rows, 64).ok());
  const auto table = OneWord::open(disk(), folder / "t", lexicon);
  ASSERT_TRUE(table.ok());
  EXPECT_TRUE(run_workers(4, [&](unsigned) { return find_all(table.value(), rows); }).ok());
}

TEST(Table, WritingIsInterrupted) {
  MemoryFiles files;
  std::atomic<bool> cancel = true;
  RunContext context = context_on(files);
  context.cancel = &cancel;
  TableWriter<KeyedRow> writer(context, "t", lexicon, "");
  EXPECT_TRUE(writer.append(KeyedRow{}).ok());
  EXPECT_EQ(writer.finish().error().code, ErrorCode::interrupted);
}

}  // namespace
}  // namespace twinset::testing

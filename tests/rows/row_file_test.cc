// RowFile: the rows written are read, and nothing else ever is.
#include "rows/row_file.h"

#include <string>
#include <vector>

#include "rows/rows_testing.h"
#include "support/faulty_files.h"

namespace twinset::testing {
namespace {

std::vector<KeyedRow> numbered(std::size_t count) {
  std::vector<KeyedRow> rows;
  for (std::size_t i = 0; i < count; ++i) rows.push_back({i, mix64(i)});
  return rows;
}

Result<std::vector<KeyedRow>> open_and_read(const RunContext& context, const std::string& path) {
  auto opened = RowFile<KeyedRow>::open(context, path, 7);
  if (!opened.ok()) return opened.error();
  return rows_of(opened.value()->read());
}

Status write_rows(const RunContext& context, const std::string& path,
                  const std::vector<KeyedRow>& rows) {
  RowFile<KeyedRow> file({.context = &context, .path = path, .fingerprint = 7});
  TWINSET_TRY(file.append(rows));
  return file.seal();
}

TEST(RowFile, ReadsWhatWasWritten) {
  for (const std::size_t count : {0, 1, 4093, 4094, 4095, 100'000}) {
    ScratchFolder folder;
    const RunContext context = context_on(disk());
    const std::vector<KeyedRow> rows = numbered(count);
    RowFile<KeyedRow> file({.context = &context, .path = folder / "rows", .fingerprint = 7});
    ASSERT_TRUE(file.append(rows).ok());
    EXPECT_FALSE(file.read().ok());
    EXPECT_FALSE(file.sync().ok());
    EXPECT_FALSE(RowFile<KeyedRow>::open(context, folder / "rows", 7).ok());
    ASSERT_TRUE(file.seal().ok());
    ASSERT_TRUE(file.seal().ok());
    ASSERT_TRUE(file.sync().ok());
    EXPECT_EQ(file.rows(), count);
    EXPECT_EQ(rows_of(file.read()).value(), rows);
    EXPECT_EQ(rows_of(file.read()).value(), rows);
    EXPECT_FALSE(file.append(KeyedRow{}).ok());

    EXPECT_EQ(open_and_read(context, folder / "rows").value(), rows);
    EXPECT_FALSE(RowFile<KeyedRow>::open(context, folder / "rows", 8).ok());
    EXPECT_FALSE(RowFile<std::uint64_t>::open(context, folder / "rows", 7).ok());
    ASSERT_TRUE(file.discard().ok());
    EXPECT_EQ(files_in(folder), 0U);
  }
}

TEST(RowFile, NextGivesTheSameRows) {
  ScratchFolder folder;
  const RunContext context = context_on(disk());
  const std::vector<KeyedRow> rows = numbered(10'000);
  ASSERT_TRUE(write_rows(context, folder / "rows", rows).ok());
  auto opened = RowFile<KeyedRow>::open(context, folder / "rows", 7);
  auto cursor = opened.value()->read();
  for (const KeyedRow& row : rows) {
    const Result<const KeyedRow*> next = cursor.value()->next();
    ASSERT_TRUE(next.ok() && next.value() != nullptr);
    ASSERT_EQ(*next.value(), row);
  }
  EXPECT_EQ(cursor.value()->next().value(), nullptr);
  EXPECT_EQ(cursor.value()->next().value(), nullptr);
}

TEST(RowFile, WideRowsTakeABlockEach) {
  struct Wide {
    std::uint64_t words[9000];
  };
  ScratchFolder folder;
  const RunContext context = context_on(disk());
  RowFile<Wide> file({.context = &context, .path = folder / "rows"});
  for (std::uint64_t i = 0; i < 3; ++i) {
    Wide row{};
    row.words[0] = row.words[8999] = i;
    ASSERT_TRUE(file.append(row).ok());
  }
  ASSERT_TRUE(file.seal().ok());
  const auto rows = rows_of(file.read());
  ASSERT_TRUE(rows.ok());
  ASSERT_EQ(rows.value().size(), 3U);
  EXPECT_EQ(rows.value()[2].words[8999], 2U);
}

TEST(RowFile, EveryDamagedByteIsAnError) {
  ScratchFolder folder;
  const RunContext context = context_on(disk());
  RowFile<KeyedRow> file({.context = &context, .path = folder / "rows", .fingerprint = 7});
  PartLength ignored;
  ASSERT_TRUE(file.append(numbered(20)).ok());
  ASSERT_TRUE(file.checkpoint(ignored).ok());  // Two blocks.
  ASSERT_TRUE(file.append(numbered(20)).ok());
  ASSERT_TRUE(file.seal().ok());
  const std::string whole = file_bytes(folder / "rows");
  ASSERT_TRUE(open_and_read(context, folder / "rows").ok());
  ASSERT_EQ(whole.size(), file_header_bytes + 2 * block_bytes(20, sizeof(KeyedRow)));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const int flip : {0x01, 0x80, 0xff}) {
      flip_byte(folder / "rows", i, flip);
      const auto rows = open_and_read(context, folder / "rows");
      ASSERT_FALSE(rows.ok()) << "byte " << i;
      EXPECT_EQ(rows.error().code, ErrorCode::io);
      EXPECT_NE(rows.error().message.find(folder / "rows"), std::string::npos);
      flip_byte(folder / "rows", i, flip);
    }
  }
  ASSERT_TRUE(open_and_read(context, folder / "rows").ok());
  for (std::size_t size = whole.size(); size-- > 0;) {
    std::filesystem::resize_file(folder / "rows", size);
    ASSERT_FALSE(open_and_read(context, folder / "rows").ok()) << size << " bytes";
  }
  put_file(folder / "rows", whole + 'x');
  EXPECT_FALSE(open_and_read(context, folder / "rows").ok());
  // Blocks exchanged: each whole, but not where it was written.
  const std::size_t block = block_bytes(20, sizeof(KeyedRow));
  put_file(folder / "rows", whole.substr(0, file_header_bytes) +
                                whole.substr(file_header_bytes + block) +
                                whole.substr(file_header_bytes, block));
  EXPECT_FALSE(open_and_read(context, folder / "rows").ok());
}

TEST(RowFile, GoesOnFromItsCheckpoint) {
  for (const std::size_t before : {0, 1, 5000, 20'000}) {
    ScratchFolder folder;
    const RunContext context = context_on(disk());
    const std::vector<KeyedRow> rows = numbered(30'000);
    const std::span<const KeyedRow> all(rows);
    const RowsOptions options{.context = &context, .path = folder / "rows", .fingerprint = 7};
    PartLength length;
    {
      RowFile<KeyedRow> file(options);
      ASSERT_TRUE(file.append(all.first(before)).ok());
      ASSERT_TRUE(file.checkpoint(length).ok());
      ASSERT_TRUE(file.append(numbered(9000)).ok());  // Lost with the run.
    }
    EXPECT_EQ(length.rows, before);
    const std::string left = file_bytes(folder / "rows");
    put_file(folder / "rows", left + "torn");
    RowFile<KeyedRow> file(options);
    ASSERT_TRUE(file.restore(length).ok());
    EXPECT_EQ(file.rows(), before);
    ASSERT_TRUE(file.append(all.subspan(before)).ok());
    ASSERT_TRUE(file.seal().ok());
    EXPECT_EQ(rows_of(file.read()).value(), rows);
    EXPECT_EQ(open_and_read(context, folder / "rows").value(), rows);

    PartLength wrong = length;
    wrong.bytes += std::uint64_t{1} << 40;
    EXPECT_FALSE(RowFile<KeyedRow>(options).restore(wrong).ok());
    wrong = length;
    wrong.rows += 1;
    EXPECT_FALSE(RowFile<KeyedRow>(options).restore(wrong).ok());
  }
}

TEST(RowFile, EveryFailingOperationIsAnError) {
  const std::vector<KeyedRow> rows = numbered(10'000);
  for (const auto lasting : {FaultyFiles::Lasting::once, FaultyFiles::Lasting::for_ever}) {
    for (std::uint64_t operation = 0;; ++operation) {
      ASSERT_LT(operation, 1000U);
      ScratchFolder folder;
      FaultyFiles files(disk());
      files.fail_at(operation, FaultyFiles::Fault::short_transfer, lasting);
      const RunContext context = context_on(files);
      const auto read = [&]() -> Result<std::vector<KeyedRow>> {
        TWINSET_TRY(write_rows(context, folder / "rows", rows));
        return open_and_read(context, folder / "rows");
      }();
      if (!files.failed()) {
        ASSERT_TRUE(read.ok());
        ASSERT_EQ(read.value(), rows);
        break;
      }
      ASSERT_FALSE(read.ok()) << "operation " << operation;
      EXPECT_TRUE(tells_of_full_disk(read.error(), folder)) << read.error().message;
    }
  }
}

}  // namespace
}  // namespace twinset::testing

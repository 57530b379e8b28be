// FixedFile: rows are read as they were written, and nothing else ever is.
#include "rows/fixed_file.h"

#include "rows/rows_testing.h"
#include "support/faulty_files.h"
#include "system/memory_files.h"

namespace twinset::testing {
namespace {

constexpr std::size_t row_bytes = 16;
constexpr std::size_t content_bytes = row_bytes - FixedFile::check_bytes;

/// The content of row `i`, always the same.
std::string content_at(std::uint64_t i) {
  std::string content = std::to_string(i * 7919);
  content.resize(content_bytes, '.');
  return content;
}

FixedFile file_on(const RunContext& context, const std::string& path,
                  std::uint64_t fingerprint = 7) {
  return {{.context = &context, .path = path, .fingerprint = fingerprint}, "fixed", row_bytes};
}

Status append_rows(FixedFile& file, std::uint64_t count) {
  std::string rows;
  for (std::uint64_t i = 0; i < count; ++i) {
    rows += content_at(file.rows() + i) + std::string(FixedFile::check_bytes, '?');
  }
  return file.append(rows);
}

/// The contents of all rows, read in order and by number.
Result<std::uint64_t> right_rows(const FixedFile& file) {
  std::uint64_t next = 0;
  TWINSET_TRY(file.for_each([&](std::uint64_t number, const char* row) -> Status {
    EXPECT_EQ(number, next++);
    EXPECT_EQ(std::string_view(row, content_bytes), content_at(number));
    return {};
  }));
  EXPECT_EQ(next, file.rows());
  std::string two(2 * row_bytes, 0);
  for (std::uint64_t i = 0; i + 1 < file.rows(); i += 1 + file.rows() / 50) {
    TWINSET_TRY(file.read(i, two));
    EXPECT_EQ(two.substr(0, content_bytes), content_at(i));
    EXPECT_EQ(two.substr(row_bytes, content_bytes), content_at(i + 1));
  }
  return next;
}

TEST(FixedFile, ReadsWhatWasAppended) {
  const ScratchFolder folder;
  const RunContext context = context_on(disk());
  FixedFile file = file_on(context, folder / "x");
  EXPECT_EQ(right_rows(file).value(), 0U);
  EXPECT_EQ(file.stored_bytes(), 0U);
  for (const std::uint64_t count : {3, 0, 200'000}) ASSERT_TRUE(append_rows(file, count).ok());
  EXPECT_EQ(right_rows(file).value(), 200'003U);
  EXPECT_EQ(file.stored_bytes(), std::filesystem::file_size(folder / "x"));
  for (const std::uint64_t memory : {std::uint64_t{1} << 30, std::uint64_t{1} << 16}) {
    ASSERT_TRUE(file.hold(memory).ok());
    EXPECT_EQ(right_rows(file).value(), 200'003U);
    ASSERT_TRUE(file.cache(memory).ok());
    EXPECT_EQ(right_rows(file).value(), 200'003U);
  }
  // Rows appended after hold() are found too.
  ASSERT_TRUE(file.hold(1 << 30).ok());
  ASSERT_TRUE(append_rows(file, 2).ok());
  EXPECT_EQ(right_rows(file).value(), 200'005U);
  ASSERT_TRUE(file.discard().ok());
  EXPECT_EQ(files_in(folder), 0U);
}

TEST(FixedFile, HasNoRowAfterItsLast) {
  MemoryFiles files;
  const RunContext context = context_on(files);
  FixedFile file = file_on(context, "x");
  std::string row(row_bytes, 0);
  EXPECT_FALSE(file.read(0, row).ok());
  ASSERT_TRUE(append_rows(file, 3).ok());
  for (const bool held : {false, true}) {
    if (held) {
      ASSERT_TRUE(file.hold(1 << 20).ok());
    }
    EXPECT_TRUE(file.read(2, row).ok());
    EXPECT_FALSE(file.read(3, row).ok());
    EXPECT_FALSE(file.read(~std::uint64_t{0}, row).ok());
    std::string two(2 * row_bytes, 0);
    EXPECT_FALSE(file.read(2, two).ok());
  }
}

TEST(FixedFile, EveryDamagedByteIsAnError) {
  MemoryFiles files;
  const RunContext context = context_on(files);
  std::vector<PartLength> lengths;
  FixedFile written = file_on(context, "x");
  ASSERT_TRUE(append_rows(written, 5).ok());
  ASSERT_TRUE(written.checkpoint(lengths).ok());
  const std::string whole = files.read("x");
  const auto read = [&](const std::string& bytes, std::uint64_t fingerprint = 7) -> Status {
    EXPECT_TRUE(files.write("x", bytes).ok());
    FixedFile file = file_on(context, "x", fingerprint);
    TWINSET_TRY(file.restore(lengths));
    TWINSET_TRY(right_rows(file));
    return {};
  };
  const auto is_error = [](const Status& status) {
    return !status.ok() && status.error().code == ErrorCode::io &&
           status.error().message.starts_with("x ");
  };
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string bytes = whole;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    const Status status = read(bytes);
    ASSERT_FALSE(status.ok()) << "bit " << bit;
    ASSERT_NE(status.error().message.find('x'), std::string::npos);
  }
  for (std::size_t size = 0; size < whole.size(); ++size) {
    ASSERT_TRUE(is_error(read(whole.substr(0, size)))) << size;
  }
  std::string exchanged = whole;
  std::swap_ranges(exchanged.begin() + 48, exchanged.begin() + 64, exchanged.begin() + 64);
  EXPECT_TRUE(is_error(read(exchanged)));
  EXPECT_FALSE(read(whole, 8).ok());
  EXPECT_TRUE(read(whole + "torn").ok());
}

TEST(FixedFile, GoesOnFromItsCheckpoint) {
  for (const std::uint64_t before : {0, 1, 5000}) {
    MemoryFiles files;
    const RunContext context = context_on(files);
    std::vector<PartLength> lengths;
    {
      FixedFile file = file_on(context, "x");
      ASSERT_TRUE(append_rows(file, before).ok());
      ASSERT_TRUE(file.checkpoint(lengths).ok());
      ASSERT_TRUE(append_rows(file, 77).ok());  // Lost with the run.
    }
    FixedFile file = file_on(context, "x");
    ASSERT_TRUE(file.restore(lengths).ok());
    EXPECT_EQ(right_rows(file).value(), before);
    ASSERT_TRUE(append_rows(file, 50).ok());
    EXPECT_EQ(right_rows(file).value(), before + 50);

    EXPECT_FALSE(file_on(context, "y").restore(lengths).ok());
    EXPECT_FALSE(file_on(context, "x").restore({}).ok());
    lengths[0].rows += 1;
    EXPECT_FALSE(file_on(context, "x").restore(lengths).ok());
    lengths[0].bytes += std::uint64_t{1} << 40;
    EXPECT_FALSE(file_on(context, "x").restore(lengths).ok());
  }
}

TEST(FixedFile, EveryFailingOperationIsAnError) {
  for (std::uint64_t operation = 0;; ++operation) {
    MemoryFiles below;
    FaultyFiles files(below);
    files.fail_at(operation, FaultyFiles::Fault::short_transfer, FaultyFiles::Lasting::once);
    const RunContext context = context_on(files);
    const auto read = [&]() -> Result<std::uint64_t> {
      std::vector<PartLength> lengths;
      FixedFile file = file_on(context, "x");
      TWINSET_TRY(append_rows(file, 100'000));
      TWINSET_TRY(file.checkpoint(lengths));
      FixedFile again = file_on(context, "x");
      TWINSET_TRY(again.restore(lengths));
      TWINSET_TRY(again.hold(operation % 2 == 0 ? 1 << 30 : 1 << 16));
      return right_rows(again);
    }();
    if (!files.failed()) {
      EXPECT_EQ(read.value(), 100'000U);
      break;
    }
    ASSERT_FALSE(read.ok()) << "operation " << operation;
  }
}

TEST(FixedFile, TakesOverTheRowsOfAnotherUpToItsCheckpoint) {
  MemoryFiles files;
  const RunContext context = context_on(files);
  std::vector<PartLength> lengths;
  FixedFile other = file_on(context, "y");
  ASSERT_TRUE(append_rows(other, 5000).ok());
  ASSERT_TRUE(other.checkpoint(lengths).ok());
  ASSERT_TRUE(append_rows(other, 77).ok());
  const std::string bytes = files.read("y");
  FixedFile file = file_on(context, "x");
  ASSERT_TRUE(file.take_over("y", lengths).ok());
  EXPECT_EQ(right_rows(file).value(), 5000U);
  ASSERT_TRUE(file.take_over("y", lengths).ok());
  EXPECT_EQ(file.rows(), 10'000U);
  std::string row(row_bytes, 0);
  ASSERT_TRUE(file.read(9'999, row).ok());
  EXPECT_EQ(row.substr(0, content_bytes), content_at(4'999));
  EXPECT_EQ(files.read("y"), bytes);
  // Of another fingerprint, damaged, or shorter.
  FixedFile apart = file_on(context, "z", 8);
  EXPECT_FALSE(apart.take_over("y", lengths).ok());
  std::string damaged = bytes;
  damaged[file_header_bytes + 3] ^= 1;
  ASSERT_TRUE(files.write("y", damaged).ok());
  EXPECT_FALSE(file.take_over("y", lengths).ok());
  ASSERT_TRUE(files.write("y", bytes.substr(0, 1000)).ok());
  EXPECT_FALSE(file.take_over("y", lengths).ok());
}

}  // namespace
}  // namespace twinset::testing

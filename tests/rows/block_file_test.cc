// BlockFile: blocks by place and tag, by several threads, and nothing damaged.
#include "rows/block_file.h"

#include <cstring>
#include <string>
#include <vector>

#include "rows/rows_testing.h"

namespace twinset::testing {
namespace {

constexpr BlockLayout layout{.format = "test", .row_bytes = 8, .fingerprint = 3};

/// A block of `rows` rows of `value` with room for its header.
std::vector<std::byte> block_of(std::uint64_t value, std::uint32_t rows) {
  std::vector<std::byte> block(block_bytes(rows, 8));
  for (std::uint32_t i = 0; i < rows; ++i) {
    std::memcpy(block.data() + block_header_bytes + 8 * i, &value, 8);
  }
  return block;
}

TEST(BlockFile, ReadsBlocksByPlaceFromAnyThread) {
  ScratchFolder folder;
  auto made = BlockFile::create(disk(), folder / "blocks", layout);
  ASSERT_TRUE(made.ok());
  BlockFile& file = *made.value();
  std::vector<std::uint64_t> places(64);
  const Status written = run_workers(4, [&](unsigned worker) -> Status {
    for (std::uint32_t i = worker; i < places.size(); i += 4) {
      std::vector<std::byte> block = block_of(i, i + 1);
      places[i] = file.reserve(block.size());
      TWINSET_TRY(file.write(places[i], block.data(), i, i + 1));
    }
    return {};
  });
  ASSERT_TRUE(written.ok());
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    std::vector<std::byte> block(block_bytes(100, 8));
    const Result<std::uint32_t> rows = file.read(places[i], i, block.data(), 100);
    ASSERT_TRUE(rows.ok());
    EXPECT_EQ(rows.value(), i + 1);
    EXPECT_FALSE(file.read(places[i], i + 1, block.data(), 100).ok()) << "another tag";
    if (i > 0) {
      EXPECT_FALSE(file.read(places[i], i, block.data(), i).ok()) << "too many rows";
    }
    EXPECT_FALSE(file.read(places[i] + 8, i, block.data(), 100).ok()) << "another place";
  }
  std::uint64_t blocks = 0;
  std::uint64_t rows = 0;
  ASSERT_TRUE(file.scan([&](const BlockFile::BlockPlace& block) -> Status {
                    EXPECT_EQ(places[block.tag], block.offset);
                    ++blocks;
                    rows += block.rows;
                    return {};
                  })
                  .ok());
  EXPECT_EQ(blocks, 64U);
  EXPECT_EQ(rows, 64U * 65U / 2);
}

TEST(BlockFile, AnotherFilesBlockIsDamage) {
  ScratchFolder folder;
  for (const std::uint64_t fingerprint : {1, 2}) {
    auto file = BlockFile::create(disk(), folder / std::to_string(fingerprint),
                                  {.format = "test", .row_bytes = 8, .fingerprint = fingerprint});
    std::vector<std::byte> block = block_of(5, 5);
    ASSERT_TRUE(file.value()->write(file.value()->reserve(block.size()), block.data(), 0, 5).ok());
  }
  const std::string one = file_bytes(folder / "1");
  const std::string two = file_bytes(folder / "2");
  put_file(folder / "1", one.substr(0, file_header_bytes) + two.substr(file_header_bytes));
  auto file = BlockFile::open(disk(), folder / "1",
                              {.format = "test", .row_bytes = 8, .fingerprint = 1}, OpenMode::read);
  ASSERT_TRUE(file.ok());
  std::vector<std::byte> block(block_bytes(5, 8));
  EXPECT_FALSE(file.value()->read(file_header_bytes, 0, block.data(), 5).ok());
}

TEST(BlockFile, CreateReplacesAndOpenDemandsAFile) {
  ScratchFolder folder;
  put_file(folder / "blocks", "left over by a killed run");
  EXPECT_TRUE(BlockFile::create(disk(), folder / "blocks", layout).ok());
  EXPECT_EQ(file_bytes(folder / "blocks").size(), file_header_bytes);
  for (const OpenMode mode : {OpenMode::read, OpenMode::append}) {
    EXPECT_FALSE(BlockFile::open(disk(), folder / "missing", layout, mode).ok());
  }
  EXPECT_EQ(files_in(folder), 1U);
  EXPECT_FALSE(BlockFile::create(disk(), folder / "no/such/folder", layout).ok());
}

TEST(BlockFile, SealIsReadBackAndTruncateCuts) {
  ScratchFolder folder;
  {
    auto file = BlockFile::create(disk(), folder / "blocks", layout);
    for (int i = 0; i < 3; ++i) {
      std::vector<std::byte> block = block_of(1, 4);
      const std::uint64_t place = file.value()->reserve(block.size());
      ASSERT_TRUE(file.value()->write(place, block.data(), 0, 4).ok());
    }
    EXPECT_EQ(file.value()->sealed_rows(), BlockFile::unsealed);
    ASSERT_TRUE(file.value()->seal(12).ok());
  }
  auto file = BlockFile::open(disk(), folder / "blocks", layout, OpenMode::append);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file.value()->sealed_rows(), 12U);
  EXPECT_FALSE(file.value()->truncate(file.value()->bytes() + 1).ok());
  EXPECT_FALSE(file.value()->truncate(file_header_bytes - 1).ok());
  ASSERT_TRUE(file.value()->truncate(file.value()->bytes() - block_bytes(4, 8)).ok());
  EXPECT_EQ(file_bytes(folder / "blocks").size(), file.value()->bytes());
  ASSERT_TRUE(file.value()->truncate(file.value()->bytes() - 1).ok());
  EXPECT_FALSE(file.value()->scan([](const auto&) { return Status(); }).ok()) << "a cut block";
}

}  // namespace
}  // namespace twinset::testing

// Runs as they are written and read; the sorter itself is tested by sorted_rows_test.cc.
#include "rows/sorter.h"

#include <numeric>
#include <vector>

#include "rows/rows_testing.h"
#include "system/memory_files.h"

namespace twinset::testing {
namespace {

constexpr BlockLayout numbers_layout = {.format = "runs", .row_bytes = sizeof(std::uint64_t)};
constexpr std::uint32_t block_rows = 10;
constexpr std::size_t block_room = block_bytes(block_rows, sizeof(std::uint64_t));

std::vector<std::uint64_t> numbers(std::size_t count, std::uint64_t first) {
  std::vector<std::uint64_t> rows(count);
  std::iota(rows.begin(), rows.end(), first);
  return rows;
}

StoredRun write(BlockFile& file, const std::vector<std::uint64_t>& rows) {
  std::vector<std::byte> block(block_room);
  RunWriter writer(file, block.data(), block_rows, sizeof(std::uint64_t));
  for (const std::uint64_t row : rows) EXPECT_TRUE(writer.add(row).ok());
  return writer.finish().value();
}

TEST(RunReader, ReadsTheRowsOfItsRunBlockByBlock) {
  MemoryFiles files;
  auto file = BlockFile::create(files, "runs", numbers_layout);
  ASSERT_TRUE(file.ok());
  // Ends within a block, at the end of one, and at once.
  std::vector<std::vector<std::uint64_t>> written = {numbers(25, 100), numbers(20, 7), {}};
  std::vector<StoredRun> runs;
  for (const auto& rows : written) runs.push_back(write(*file.value(), rows));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    EXPECT_EQ(runs[i].rows, written[i].size());
    std::vector<std::byte> block(block_room);
    RunReader reader(*file.value(), runs[i], block.data(), block_rows, sizeof(std::uint64_t));
    std::vector<std::uint64_t> read;
    while (reader.load().value()) {
      const auto batch = reader.batch<std::uint64_t>();
      EXPECT_LE(batch.size(), block_rows);
      read.insert(read.end(), batch.begin(), batch.end());
    }
    EXPECT_EQ(read, written[i]);
    EXPECT_TRUE(reader.batch<std::uint64_t>().empty());
  }
}

TEST(RunReader, ARunWithFewerRowsThanItHadIsAnError) {
  MemoryFiles files;
  auto file = BlockFile::create(files, "runs", numbers_layout);
  ASSERT_TRUE(file.ok());
  StoredRun run = write(*file.value(), numbers(5, 0));
  run.rows = 6;
  std::vector<std::byte> block(block_room);
  RunReader reader(*file.value(), run, block.data(), block_rows, sizeof(std::uint64_t));
  const auto loaded = reader.load();
  ASSERT_FALSE(loaded.ok());
  EXPECT_NE(loaded.error().message.find("the block at byte 48 has too few rows"), std::string::npos)
      << loaded.error().message;
}

TEST(RunReader, RowsInMemoryAreOneBatch) {
  const std::vector<std::uint64_t> rows = numbers(33, 4);
  RunReader reader(std::as_bytes(std::span(rows)));
  EXPECT_TRUE(std::ranges::equal(reader.batch<std::uint64_t>(), rows));
  EXPECT_FALSE(reader.load().value());
  EXPECT_TRUE(reader.batch<std::uint64_t>().empty());
}

}  // namespace
}  // namespace twinset::testing

#include "browse/row_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "support/scratch_folder.h"
#include "system/memory_files.h"

namespace twinset {
namespace {

std::vector<std::string> made_rows(std::size_t number) {
  std::mt19937_64 random(number);
  std::vector<std::string> rows;
  for (std::size_t i = 0; i < number; ++i) {
    const std::size_t bytes = random() % 50 == 0 ? random() % 100'000 : random() % 60;
    rows.push_back(std::string(bytes, static_cast<char>(random())) + std::to_string(i));
  }
  return rows;
}

void expect_rows(FileSystem& files, const std::string& tmp) {
  const std::vector<std::string> rows = made_rows(3000);
  Result<RowStore> made = RowStore::make(files, tmp);
  ASSERT_TRUE(made.ok()) << made.error().message;
  RowStore& store = made.value();
  for (const std::string& row : rows) ASSERT_TRUE(store.append(row).ok());
  ASSERT_TRUE(store.seal().ok());
  EXPECT_EQ(store.rows(), rows.size());
  std::string row;
  for (std::size_t i = 0; i < rows.size(); i += 7) {
    ASSERT_TRUE(store.read(i, row).ok());
    EXPECT_EQ(row, rows[i]);
  }
  EXPECT_FALSE(store.read(rows.size(), row).ok());
  std::mt19937_64 random(1);
  for (int tries = 0; tries < 50; ++tries) {
    const std::size_t first = random() % (rows.size() + 10);
    const std::size_t end = first + random() % 400;
    const std::size_t most = random() % 300;
    std::size_t at = first;
    ASSERT_TRUE(store
                    .for_each(first, end,
                              [&](std::uint64_t number, std::string_view got) -> Result<bool> {
                                EXPECT_EQ(number, at);
                                EXPECT_EQ(got, rows[at]);
                                ++at;
                                return at - first < most + 1;
                              })
                    .ok());
    const std::size_t there = std::max(first, std::min(end, rows.size()));
    EXPECT_EQ(at, std::min(there, first + most + 1));
  }
}

TEST(RowStore, FindsAnyRowAndLeavesNoFile) {
  const testing::ScratchFolder folder;
  expect_rows(disk(), folder.path());
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  MemoryFiles files;
  expect_rows(files, "/tmp");
}

TEST(RowStore, TakesNoMemoryForRows) {
  const testing::ScratchFolder folder;
  Result<RowStore> made = RowStore::make(disk(), folder.path());
  ASSERT_TRUE(made.ok());
  for (int i = 0; i < 100'000; ++i) ASSERT_TRUE(made.value().append("a row of some bytes").ok());
  ASSERT_TRUE(made.value().seal().ok());
  EXPECT_LE(made.value().memory_bytes(), 100'000 / 64 * 16 + 32);
}

TEST(RowStore, SaysThatItsFolderCannotBeWritten) {
  const Result<RowStore> made = RowStore::make(disk(), "/no/such/folder");
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, ErrorCode::io);
}

}  // namespace
}  // namespace twinset

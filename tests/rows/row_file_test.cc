// RowFile: what was written is read, and nothing else ever is.
#include "rows/row_file.h"

#include <vector>

#include "rows/rows_testing.h"

namespace twinset::testing {
namespace {

Result<std::vector<KeyedRow>> read_all(const RowFile<KeyedRow>& file) {
  auto cursor = file.read();
  if (!cursor.ok()) return cursor.error();
  std::vector<KeyedRow> rows;
  while (const KeyedRow* row = cursor.value()->peek()) {
    rows.push_back(*row);
    cursor.value()->advance();
  }
  if (!cursor.value()->status().ok()) return cursor.value()->status().error();
  return rows;
}

std::vector<KeyedRow> numbered(std::size_t count) {
  std::vector<KeyedRow> rows;
  for (std::size_t i = 0; i < count; ++i) rows.push_back({i, mix64(i)});
  return rows;
}

TEST(RowFile, ReadsWhatWasWritten) {
  for (const std::size_t count : {0, 1, 4093, 4094, 4095, 100'000}) {
    ScratchFolder folder;
    const RunContext context = context_on(disk());
    const std::vector<KeyedRow> rows = numbered(count);
    RowFile<KeyedRow> file({.context = &context, .path = folder / "rows", .fingerprint = 7});
    ASSERT_TRUE(file.append(rows).ok());
    EXPECT_FALSE(file.read().ok());
    EXPECT_FALSE(RowFile<KeyedRow>::open(context, folder / "rows", 7).ok());
    ASSERT_TRUE(file.seal().ok());
    EXPECT_EQ(file.rows(), count);
    EXPECT_EQ(read_all(file).value(), rows);
    EXPECT_FALSE(file.append(KeyedRow{}).ok());

    auto opened = RowFile<KeyedRow>::open(context, folder / "rows", 7);
    ASSERT_TRUE(opened.ok());
    EXPECT_EQ(opened.value()->rows(), count);
    EXPECT_EQ(read_all(*opened.value()).value(), rows);
    EXPECT_FALSE(RowFile<KeyedRow>::open(context, folder / "rows", 8).ok());
    EXPECT_FALSE(RowFile<std::uint64_t>::open(context, folder / "rows", 7).ok());
    ASSERT_TRUE(file.discard().ok());
    EXPECT_EQ(folder.files(), 0U);
  }
}

}  // namespace
}  // namespace twinset::testing

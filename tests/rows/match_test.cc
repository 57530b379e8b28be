// Rows joined with a table, compared with a search of every entry for every row.
#include "rows/match.h"

#include <tuple>
#include <vector>

#include "rows/rows_testing.h"

namespace twinset::testing {
namespace {

struct Label {
  Key128 key;
  std::uint64_t badness = 0;
};
struct ChunkRow {
  Key128 key;
  std::uint64_t document = 0;
};
struct ByDocument {
  bool operator()(const ChunkRow& a, const ChunkRow& b) const { return a.document < b.document; }
};

/// First words are shared by several keys.
Key128 key_of(std::uint64_t number) { return {mix64(number / 3), number % 3}; }

using Met = std::vector<std::tuple<Key128, std::uint64_t, std::uint64_t>>;

TEST(Match, IsASearchOfEveryEntryForEveryRow) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 60; ++round) {
    const ScratchFolder folder;
    const RunContext context = context_on(disk(), 1 + static_cast<unsigned>(random() % 2));
    const std::uint64_t numbers = 1 + random() % 2000;
    SortedRows<ChunkRow, KeyThenLess<ChunkRow, ByDocument>> rows(
        {.context = &context, .path = folder / "rows", .memory_bytes = 1 << 16});
    SortedRows<Label, KeyLess<Label>> table({.context = &context, .path = folder / "table"});
    std::vector<ChunkRow> plain_rows(random() % 3000);
    for (ChunkRow& row : plain_rows) row = {key_of(random() % numbers), random() % 50};
    std::vector<Label> plain_table;
    for (std::uint64_t number = 0; number < numbers; ++number) {
      if (random() % 3 == 0) plain_table.push_back({key_of(number), number});
    }
    std::shuffle(plain_table.begin(), plain_table.end(), random);
    ASSERT_TRUE(rows.append(plain_rows).ok() && rows.seal().ok());
    ASSERT_TRUE(table.append(plain_table).ok() && table.seal().ok());

    Met expected;
    for (const ChunkRow& row : plain_rows) {
      for (const Label& label : plain_table) {
        if (label.key == row.key) expected.emplace_back(row.key, row.document, label.badness);
      }
    }
    std::sort(expected.begin(), expected.end());
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());

    Met met;
    const auto row_cursor = rows.read();
    const auto table_cursor = table.read();
    ASSERT_TRUE(match(*row_cursor.value(), *table_cursor.value(),
                      [&](const ChunkRow& row, const Label& label) -> Status {
                        EXPECT_EQ(row.key, label.key);
                        met.emplace_back(row.key, row.document, label.badness);
                        return {};
                      })
                    .ok());
    ASSERT_TRUE(std::is_sorted(met.begin(), met.end()));
    ASSERT_EQ(met, expected) << "round " << round;
  }
}

/// Three entries, then a failure.
class BrokenTable final : public RowCursor<Label> {
  Result<bool> refill() override {
    if (shown_) return io_error("the table is damaged");
    shown_ = true;
    show(entries_.data(), entries_.data() + entries_.size());
    return true;
  }
  bool shown_ = false;
  std::vector<Label> entries_{{{1, 1}, 1}, {{2, 1}, 2}, {{3, 1}, 3}};
};

TEST(Match, ErrorsOfTheTableAndOfTheCallerEndIt) {
  const ScratchFolder folder;
  const RunContext context = context_on(disk());
  SortedRows<ChunkRow, KeyThenLess<ChunkRow, ByDocument>> rows(
      {.context = &context, .path = folder / "rows"});
  for (std::uint64_t high = 2; high < 9; ++high) ASSERT_TRUE(rows.append({{high, 1}, high}).ok());
  ASSERT_TRUE(rows.seal().ok());
  const auto run = [&](Status answer, int& calls) {
    BrokenTable table;
    const auto cursor = rows.read();
    return match(*cursor.value(), table, [&](const ChunkRow&, const Label&) {
      ++calls;
      return answer;
    });
  };
  int calls = 0;
  EXPECT_EQ(run({}, calls).error().message, "the table is damaged");
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(run(io_error("full"), calls).error().message, "full");
  EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace twinset::testing

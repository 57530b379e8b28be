// The rules of rows; tests/io/formats/csv_test.cc has those of files.
#include "io/table_rows.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "support/records.h"
#include "support/streams.h"

namespace twinset {
namespace {

using State = RowEnd::State;

/// The cells of a row, each in brackets, doubled quotes as they are.
std::string cells_of(std::string_view bytes, char delimiter, bool all, RowEnd& end) {
  std::string out;
  end = for_each_cell(bytes, delimiter, all, [&](const Cell& cell) {
    out += "[" + std::string(cell.bytes) + "]";
    return true;
  });
  return out;
}

TEST(TableRows, ARowEndsAtALineEndOutsideQuotes) {
  RowEnd end;
  EXPECT_EQ(cells_of("a,\"b\n\",,c\r\nd", ',', false, end), "[a][b\n][][c]");
  EXPECT_EQ(end.state, State::whole);
  EXPECT_EQ(end.bytes, 11U);
  EXPECT_EQ(end.columns, 4U);
  EXPECT_FALSE(end.loose_quote);
  EXPECT_EQ(cells_of("a,", ',', true, end), "[a][]");
  EXPECT_EQ(end.bytes, 2U);
  EXPECT_EQ(cells_of("a\"b\n", ',', true, end), "[a\"b]");
  EXPECT_TRUE(end.loose_quote);
}

TEST(TableRows, NoPrefixOfARowIsTakenForAnother) {
  const std::string row = "\"a \"\"b\"\"\",c\rd,\"\"\r\n";
  RowEnd whole;
  const std::string cells = cells_of(row, ',', false, whole);
  ASSERT_EQ(whole.state, State::whole);
  ASSERT_EQ(cells, "[a \"\"b\"\"][c\rd][]");
  for (std::size_t i = 0; i < row.size(); ++i) {
    RowEnd end;
    cells_of(std::string_view(row).substr(0, i), ',', false, end);
    EXPECT_TRUE(end.state == State::more || end.state == State::open) << i;
  }
}

TEST(TableRows, TextAfterAQuotedFieldIsAFaultUnlessTabsDelimit) {
  RowEnd end;
  cells_of("\"a\"b,c\n", ',', true, end);
  EXPECT_EQ(end.state, State::after_quote);
  cells_of("\"a\n", ',', true, end);
  EXPECT_EQ(end.state, State::open);
  EXPECT_EQ(cells_of("\"a\"b\tc\n", '\t', true, end), "[\"a\"b][c]");
  EXPECT_EQ(end.state, State::whole);
  EXPECT_TRUE(end.loose_quote);
}

TEST(TableRows, HeadersNameTheirColumns) {
  const TableHeader header = read_table_header("id;\"the \"\"text\"\"\";a.b;id\r\n", 0);
  EXPECT_EQ(header.delimiter, ';');
  EXPECT_EQ(header.names(), "id, the \"text\", a.b, id");
  EXPECT_EQ(header.find("id"), 3U);
  EXPECT_EQ(header.find("a.b"), 2U);
  EXPECT_EQ(header.find("a"), std::string::npos);
  EXPECT_EQ(header.texts("a.b,id,none"), (std::vector<std::size_t>{2, 3}));
  EXPECT_TRUE(header.texts("id[]").empty());
}

// Lines that open quotes again and again are searched for rows: each only once or so.
TEST(TableRows, ASearchForARowTakesLinearTime) {
  const testing::ScratchFolder folder;
  for (const char* line : {"\"", "\"\"\n", "a,\"\n", "\",\"\n", "a,\"b\n", "\"\"\"\n",
                           "\",\"\",\"\n", "\"a\"b,\n", ",\"\"\n", "\",\n"}) {
    std::string table = "id,text,x\n1,\"a\" b,c\n";
    while (table.size() < 4'000'000) table += line;
    const auto begin = std::chrono::steady_clock::now();
    const testing::ReadFile file = testing::read_file(folder.write("x.csv", table), "csv");
    std::uint64_t bytes = 0;
    for (const testing::ReadRecord& record : file.records) bytes += record.length;
    EXPECT_LE(bytes, table.size());
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20)) << line;
  }
}

}  // namespace
}  // namespace twinset

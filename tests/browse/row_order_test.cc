// Lists sorted and searched, against all their rows.
#include "browse/row_order.h"

#include "browse/browse_testing.h"
#include "io/json_read.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(RowOrder, AreSortedByAnyColumnAndSearched) {
  MadeFolder made;
  made.draw(23, 80);
  made.write();
  const RunBrowser run = made.browse();
  const std::vector<std::string> plain = rows_of_list(run, {.list = "removed"});
  for (const BrowsedList& list : run.lists()) {
    if (list.name != "removed") continue;
    for (std::size_t column = 0; column < list.columns.size(); ++column) {
      const auto value = [&](const std::string& row) {
        return read_json(row, "row").value().elements()[column];
      };
      std::vector<std::string> expected = plain;
      std::stable_sort(expected.begin(), expected.end(),
                       [&](const std::string& a, const std::string& b) {
                         const JsonNode x = value(a);
                         const JsonNode y = value(b);
                         if (x.real() && y.real()) return *x.real() < *y.real();
                         return x.text() < y.text();
                       });
      EXPECT_EQ(rows_of_list(run, {.list = "removed", .sort = list.columns[column].name}), expected)
          << list.columns[column].name;
      std::reverse(expected.begin(), expected.end());
      EXPECT_EQ(rows_of_list(
                    run, {.list = "removed", .sort = list.columns[column].name, .reverse = true}),
                expected);
    }
  }
  std::vector<std::string> reversed = plain;
  std::reverse(reversed.begin(), reversed.end());
  EXPECT_EQ(rows_of_list(run, {.list = "removed", .reverse = true}), reversed);
  for (const std::string searched : {"DOC-1", "\xc3\xa9", "news/b", "lexical", "0.7"}) {
    std::vector<std::string> expected;
    std::string room;
    for (const std::string& row : plain) {
      for (const JsonNode& value : read_json(row, "row").value().elements()) {
        std::string text =
            value.kind() == JsonKind::string ? value.text() : std::string(value.raw());
        for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
        std::string wanted = searched;
        for (char& c : wanted) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
        if (text.find(wanted) == std::string::npos) continue;
        expected.push_back(row);
        break;
      }
    }
    EXPECT_FALSE(expected.empty()) << searched;
    EXPECT_EQ(rows_of_list(run, {.list = "removed", .search = searched}), expected) << searched;
  }
}

/// Values of one kind, as people sort them: numbers, then texts, then nothing.
bool sorts_before(const JsonNode& x, const JsonNode& y) {
  const auto rank = [](const JsonNode& value) {
    return value.real() ? 0 : value.kind() == JsonKind::null ? 2 : 1;
  };
  if (rank(x) != rank(y)) return rank(x) < rank(y);
  if (rank(x) == 0) return *x.real() < *y.real();
  return x.text().substr(0, 256) < y.text().substr(0, 256);
}

std::string small_letters(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return text;
}

// Ids that have escapes, or are longer than what is read at once; in little memory.
TEST(RowOrder, OfOddValuesAsByASlowLoop) {
  MadeFolder made;
  made.draw(24, 150);
  std::mt19937_64 random(25);
  for (std::size_t i = 0; i < made.clusters.size(); ++i) {
    for (MadeMember& member : made.clusters[i]) {
      if (random() % 10 == 0) member.id += std::string(random() % 300, 'x') + "\"\\\n\x01 END";
    }
    if (i % 50 == 7) made.clusters[i][1].id += std::string(std::size_t{100} << 10, 'Y') + "z";
  }
  made.write();
  const RunBrowser run = made.browse((std::uint64_t{4} << 20) + (std::uint64_t{1} << 19));
  for (const BrowsedList& list : run.lists()) {
    const std::vector<std::string> plain = rows_of_list(run, {.list = list.name});
    ASSERT_EQ(plain.size(), list.rows);
    std::vector<std::vector<JsonNode>> values;
    for (const std::string& row : plain) values.push_back(read_json(row, "row").value().elements());
    for (const std::string& column : {std::string(), std::string("id"), std::string("record")}) {
      const std::size_t at = column.empty() ? 0 : column_of(run, list.name, column);
      for (const std::string& searched :
           {std::string(), std::string("\"\\"), std::string("yyyZ"), std::string(" end"),
            std::string("id"), std::string("null"), std::string("doc-1"), std::string("\x01")}) {
        std::vector<std::size_t> expected;
        for (std::size_t i = 0; i < plain.size(); ++i) {
          const bool found = std::ranges::any_of(values[i], [&](const JsonNode& value) {
            const std::string text = value.kind() == JsonKind::string ? value.text()
                                     : value.kind() == JsonKind::null ? std::string()
                                                                      : std::string(value.raw());
            return small_letters(text).find(small_letters(searched)) != std::string::npos;
          });
          if (searched.empty() || found) expected.push_back(i);
        }
        if (!column.empty()) {
          std::ranges::stable_sort(expected, [&](std::size_t a, std::size_t b) {
            return sorts_before(values[a][at], values[b][at]);
          });
        }
        const auto page =
            run.rows({.list = list.name, .limit = 30, .sort = column, .search = searched}).value();
        EXPECT_EQ(page->total, expected.size()) << list.name << " " << column << " " << searched;
        for (std::size_t i = 0; i < page->rows.size(); ++i) {
          EXPECT_TRUE(page->rows[i] == plain[expected.at(i)]) << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace twinset

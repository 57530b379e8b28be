// Lists by number, sorted and searched, against all their rows.
#include "browse/row_list.h"

#include "browse/browse_testing.h"
#include "io/json_read.h"
#include "support_runs/small_run.h"

namespace twinset {
namespace {

using namespace twinset::testing;

std::vector<std::string> rows_of_list(const RunBrowser& run, ListRowsOptions options) {
  std::vector<std::string> all;
  for (;;) {
    options.offset = all.size();
    options.limit = 37;
    const auto page = run.rows(options);
    EXPECT_TRUE(page.ok()) << page.error().text();
    if (!page.ok() || page.value()->rows.empty()) return all;
    all.insert(all.end(), page.value()->rows.begin(), page.value()->rows.end());
    EXPECT_GE(page.value()->total, all.size());
  }
}

std::size_t column_of(const RunBrowser& run, const std::string& list, const std::string& column) {
  for (const BrowsedList& described : run.lists()) {
    if (described.name != list) continue;
    for (std::size_t i = 0; i < described.columns.size(); ++i) {
      if (described.columns[i].name == column) return i;
    }
  }
  ADD_FAILURE() << list << " has no column " << column;
  return 0;
}

TEST(RowList, RemovedRecordsAsTheirLinesHaveThem) {
  MadeFolder made;
  made.draw(21, 60);
  made.write();
  const RunBrowser run = made.browse();
  ASSERT_EQ(run.lists().size(), 2U);
  EXPECT_EQ(run.lists()[0].name, "removed");
  const std::vector<std::string> rows = rows_of_list(run, {.list = "removed"});
  const std::vector<std::string> lines = lines_of(get_file(made.out + "/removed.jsonl.zst"));
  ASSERT_EQ(rows.size(), lines.size());
  EXPECT_EQ(run.lists()[0].rows, lines.size());
  const std::size_t id = column_of(run, "removed", "id");
  const std::size_t survivor = column_of(run, "removed", "survivor_record");
  const std::size_t resemblance = column_of(run, "removed", "resemblance");
  const std::size_t error = column_of(run, "removed", "standard_error");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<JsonNode> values = read_json(rows[i], "row").value().elements();
    const JsonNode line = read_json(lines[i], "line").value();
    ASSERT_EQ(values.size(), run.lists()[0].columns.size());
    EXPECT_EQ(values[id].raw(), line["id"].raw());
    EXPECT_EQ(values[survivor].raw(), line["survivor_record"].raw());
    EXPECT_EQ(values[resemblance].raw(), line["resemblance"].raw());
    EXPECT_EQ(values[error].raw(), "null");
  }
}

TEST(RowList, MembersOfClusters) {
  MadeFolder made;
  made.draw(22, 60);
  made.write();
  const RunBrowser run = made.browse();
  const std::vector<std::string> rows = rows_of_list(run, {.list = "clusters"});
  std::size_t at = 0;
  for (std::size_t i = 0; i < made.clusters.size(); ++i) {
    for (std::size_t j = 1; j < made.clusters[i].size(); ++j, ++at) {
      ASSERT_LT(at, rows.size());
      const std::vector<JsonNode> values = read_json(rows[at], "row").value().elements();
      ASSERT_EQ(values.size(), 7U);
      EXPECT_EQ(values[0].integer(), i + 1);
      EXPECT_EQ(values[1].text(), made.clusters[i][j].id);
      EXPECT_EQ(values[3].integer(), made.clusters[i][j].record);
      EXPECT_EQ(values[4].text(), made.clusters[i][0].id);
    }
  }
  EXPECT_EQ(at, rows.size());
}

TEST(RowList, AreSortedByAnyColumnAndSearched) {
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

TEST(RowList, SaysWhatItHasNot) {
  SmallRun small;
  small.run();
  const RunBrowser run =
      RunBrowser::open({.folder = small.options.output}, quiet_control()).value();
  EXPECT_FALSE(run.rows({.list = "spans"}).value().has_value());
  const auto column = run.rows({.list = "removed", .sort = "age"});
  ASSERT_FALSE(column.ok());
  EXPECT_EQ(column.error().text(), "'age' is no column of the list removed");
  const auto page = run.rows({.list = "removed", .limit = 1001});
  EXPECT_EQ(page.error().text(), "limit is at most 1000");
  EXPECT_TRUE(run.rows({.list = "removed", .offset = UINT64_MAX}).value()->rows.empty());
}

}  // namespace
}  // namespace twinset

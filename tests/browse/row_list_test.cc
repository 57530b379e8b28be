// Lists by number, sorted and searched, against all their rows.
#include "browse/row_list.h"

#include "browse/browse_testing.h"
#include "io/json_read.h"
#include "support_runs/small_run.h"

namespace twinset {
namespace {

using namespace twinset::testing;

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

// The end of a line of removed records is read when it is asked for.
TEST(RowList, NamesTheLineOfDamage) {
  MadeFolder made;
  made.draw(26, 30);
  made.write();
  std::vector<std::string> lines = lines_of(get_file(made.out + "/removed.jsonl.zst"));
  for (const char* end :
       {", \"x\"}", ", \"x\": }", ", x: 1}", ", \"x\": [1}", ", }", ", \"x\" 1}"}) {
    std::string damaged;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      damaged += i == 4 ? lines[i].substr(0, lines[i].size() - 1) + end : lines[i];
      damaged += "\n";
    }
    made.replace("removed.jsonl.zst", damaged);
    const RunBrowser run = made.browse();
    EXPECT_TRUE(run.rows({.list = "removed", .limit = 4}).ok());
    for (const ListRowsOptions& asked :
         {ListRowsOptions{.list = "removed"},
          ListRowsOptions{.list = "removed", .sort = "standard_error"},
          ListRowsOptions{.list = "removed", .search = "record\": "}}) {
      const auto rows = run.rows(asked);
      ASSERT_FALSE(rows.ok()) << end;
      EXPECT_EQ(rows.error().text(), "removed:5 is damaged");
    }
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

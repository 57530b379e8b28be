// query_index(): a line for each document, in order, whatever the number of threads.
#include "search/query_line.h"
#include "search/search_testing.h"

namespace twinset::testing {
namespace {

struct Asked {
  Result<QuerySummary> summary;
  std::vector<std::string> lines;
};

Asked ask(QueryOptions options) {
  LineSink lines;
  RunControl control = quiet_control();
  control.kept = &lines;
  auto summary = query_index(options, control);
  return {std::move(summary), SearchFolder::lines_of(lines.text)};
}

TEST(IndexQuery, AnswersEachDocumentInOrder) {
  SearchFolder index;
  ASSERT_TRUE(index.create().ok());
  std::string lines;
  for (std::uint64_t i = 0; i < 400; ++i) {
    lines += record_line("d" + std::to_string(i), words_of(i / 2, 60) + " end");
  }
  ASSERT_TRUE(index.add(lines).ok());
  QueryOptions options;
  options.index = index.options.index;
  options.inputs = {index.folder / "in.jsonl"};
  options.resources.threads = 1;
  const Asked one = ask(options);
  ASSERT_TRUE(one.summary.ok()) << one.summary.error().message;
  EXPECT_EQ(one.summary.value().queries, 400U);
  EXPECT_EQ(one.summary.value().hits, 800U);
  ASSERT_EQ(one.lines.size(), 400U);
  for (std::uint64_t i = 0; i < 400; ++i) {
    const JsonNode line = read_json(one.lines[i], "line").value();
    EXPECT_EQ(line["id"].text(), "d" + std::to_string(i));
    EXPECT_EQ(line["record"].integer(), i + 1);
    const JsonNode hits = line["hits"];
    ASSERT_EQ(hits.elements().size(), 2U);
    for (const JsonNode& hit : hits.elements()) EXPECT_EQ(hit["same"].text(), "bytes");
  }
  options.resources.threads = 4;
  EXPECT_EQ(ask(options).lines, one.lines);
  options.output = index.folder / "answers.jsonl";
  ASSERT_TRUE(query_index(options, quiet_control()).ok());
  EXPECT_EQ(SearchFolder::lines_of(index.folder.read("answers.jsonl")), one.lines);
}

TEST(IndexQuery, TextsInMemoryAreAddedAndAskedForAsFilesAre) {
  SearchFolder index;
  ASSERT_TRUE(index.create().ok());
  const std::vector<std::string_view> texts{"a first text of some words", "another one", ""};
  const std::vector<std::string_view> ids{"a", "b", "c"};
  TextColumn column(texts);
  ASSERT_TRUE(column.set_ids(ids).ok());
  index.options.columns = {column};
  const auto added = add_to_index(index.options, quiet_control());
  ASSERT_TRUE(added.ok()) << added.error().message;
  EXPECT_EQ(added.value().added, 3U);
  QueryOptions options;
  options.index = index.options.index;
  options.columns = {column};
  const Asked asked = ask(options);
  ASSERT_TRUE(asked.summary.ok()) << asked.summary.error().message;
  ASSERT_EQ(asked.lines.size(), 3U);
  EXPECT_EQ(read_json(asked.lines[1], "line").value()["hits"].elements()[0]["id"].text(), "b");
}

TEST(IndexQuery, AsksForADocumentOfTheIndex) {
  SearchFolder index;
  ASSERT_TRUE(index.create().ok());
  ASSERT_TRUE(
      index.add(record_line("a", words_of(1, 80)) + record_line("b", words_of(1, 80) + " more"))
          .ok());
  QueryOptions options;
  options.index = index.options.index;
  options.of = "a";
  const Asked asked = ask(options);
  ASSERT_TRUE(asked.summary.ok());
  ASSERT_EQ(asked.lines.size(), 1U);
  EXPECT_EQ(read_json(asked.lines[0], "line").value()["hits"].elements().size(), 2U);
}

TEST(IndexQuery, FieldsOfEverySchemeAreRead) {
  for (const std::vector<std::string>& schemes :
       {std::vector<std::string>{"mod", "simhash(fields=title)"},
        std::vector<std::string>{"simhash(fields=title)", "mod"}}) {
    SearchFolder index;
    index.options.settings.scheme = schemes;
    ASSERT_TRUE(index.create().ok());
    ASSERT_TRUE(index.add(record_line("a", words_of(1, 80), ", \"title\": \"a title\"")).ok());
    QueryOptions options;
    options.index = index.options.index;
    options.inputs = {index.folder / "in.jsonl"};
    const Asked asked = ask(options);
    ASSERT_EQ(asked.lines.size(), 1U);
    EXPECT_EQ(read_json(asked.lines[0], "line").value()["hits"].elements()[0]["distance"].integer(),
              0U);
    index.folder.write("in.jsonl", record_line("a", words_of(1, 80)));
    EXPECT_GT(*read_json(ask(options).lines[0], "line")
                   .value()["hits"]
                   .elements()[0]["distance"]
                   .integer(),
              0U)
        << "the title counts";
  }
}

TEST(IndexQuery, WarnsOfAResemblanceBelowTheBands) {
  SearchFolder index;
  index.options.settings.scheme = {"fss"};
  ASSERT_TRUE(index.create().ok());
  ASSERT_TRUE(index.add(record_line("a", words_of(1, 80))).ok());
  QueryOptions options;
  options.index = index.options.index;
  options.inputs = {index.folder / "in.jsonl"};
  EXPECT_TRUE(ask(options).summary.value().warnings.empty());
  options.resemblance = Ratio(3, 10);
  const auto asked = ask(options).summary;
  ASSERT_EQ(asked.value().warnings.size(), 1U);
  EXPECT_EQ(asked.value().warnings[0],
            "the index was made for a resemblance of 0.5; its bands find few documents below that");
}

TEST(IndexQuery, RefusesWhatAsksNothing) {
  SearchFolder index;
  ASSERT_TRUE(index.create().ok());
  QueryOptions options;
  options.index = index.options.index;
  EXPECT_EQ(ask(options).summary.error().code, ErrorCode::usage);
  options.of = "nobody";
  EXPECT_EQ(ask(options).summary.error().code, ErrorCode::usage);
  options.inputs = {"x"};
  EXPECT_EQ(ask(options).summary.error().code, ErrorCode::usage);
  options.of = "";
  EXPECT_EQ(query_index(options, quiet_control()).error().code, ErrorCode::usage);
}

}  // namespace
}  // namespace twinset::testing

// Lists of output folders, row by row: as the run told them, and as the files say.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "collection/output_lines.h"
#include "detect/detect_testing.h"
#include "io/field_json.h"
#include "support_runs/cluster_testing.h"
#include "support_runs/small_run.h"
#include "twinset/cluster.h"
#include "twinset/dedup.h"
#include "twinset/index.h"
#include "twinset/look.h"
#include "twinset/sketch.h"
#include "twinset/spans.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// The rows as objects, of a way to read a list; or the error.
template <class Read>
std::vector<std::string> rows_by(Read read, int most = 1000) {
  std::vector<std::pair<std::string, std::vector<Field>>> groups;
  std::vector<std::string> rows;
  const Status done =
      read([&](std::string_view prefix,
               std::vector<Field> fields) { groups.emplace_back(prefix, std::move(fields)); },
           [&]() -> Status {
             std::string row;
             for (const auto& [prefix, fields] : groups) row += prefix + fields_json(fields);
             rows.push_back(row);
             return static_cast<int>(rows.size()) == most ? usage_error("enough") : Status();
           });
  if (!done.ok()) rows.push_back("error: " + done.error().message);
  return rows;
}

std::vector<std::string> rows_of(const std::string& folder, ResultList list, int most = 1000) {
  return rows_by(
      [&](const auto& columns, const auto& row) {
        return read_list(folder, list, quiet_control(), columns, row);
      },
      most);
}

/// The same of lines in memory.
std::vector<std::string> rows_in(const std::string& lines, ResultList list) {
  return rows_by([&](const auto& columns, const auto& row) {
    return read_lines(lines, list, quiet_control(), columns, row);
  });
}

TEST(ReadList, RemovedRecordsAreThoseThatTheRunTold) {
  SmallRun small;
  std::vector<std::string> told;
  small.options.output += "-again";
  small.options.emit = Emit::ids;
  DedupResults results;
  results.removed = [&](const Removal& removal) {
    Removal copy = removal;
    told.push_back(fields_json(fields_of(copy)));
    return Status();
  };
  ASSERT_TRUE(dedup(small.options, quiet_control(), results).ok());
  ASSERT_GT(told.size(), 1U);
  EXPECT_EQ(rows_of(small.options.output, ResultList::removed), told);
  EXPECT_EQ(rows_of(small.options.output, ResultList::removed, 1),
            (std::vector<std::string>{told[0], "error: enough"}));
  const std::vector<std::string> kept = rows_of(small.options.output, ResultList::kept);
  EXPECT_EQ(kept.size() + told.size(), 5U);
  EXPECT_EQ(kept[0].find("{\"id\": \"n1\", \"file\": "), 0U) << kept[0];
  const auto clusters = rows_of(small.options.output, ResultList::clusters);
  EXPECT_EQ(clusters.size(), told.size());
  const auto pairs = rows_of(small.options.output, ResultList::pairs);
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_NE(pairs[0].find("has no pairs"), std::string::npos) << pairs[0];
}

TEST(ReadList, PairsHaveTheirNumbersAndCopiesTheirOriginal) {
  const ScratchFolder folder;
  ClusterOptions options;
  options.inputs = {folder.write("a.jsonl",
                                 "{\"id\":1,\"text\":\"a b c d e f\"}\n"
                                 "{\"id\":2,\"text\":\"a b c d e f g\"}\n"),
                    folder.write("b.jsonl",
                                 "{\"id\":[3],\"text\":\"a b c d e f\"}\n"
                                 "{\"id\":4,\"text\":\"A b c d e f.\"}\n"
                                 "{\"text\":\"nothing of the kind at all\"}\n")};
  options.output = folder / "like";
  ASSERT_TRUE(cluster(options, quiet_control()).ok());
  const std::vector<std::string> pairs = rows_of(options.output, ResultList::pairs);
  ASSERT_EQ(pairs.size(), 3U);
  EXPECT_EQ(pairs[0].find("{\"id\": 2, \"file\": \"" + options.inputs[0]), 0U) << pairs[0];
  EXPECT_NE(pairs[0].find("\"other\": {\"id\": 1, \"file\": \"" + options.inputs[0]),
            std::string::npos);
  EXPECT_NE(
      pairs[0].find("}, \"kind\": \"near\", \"resemblance\": 0.666667, \"containment\": 0.666667,"
                    " \"other_containment\": 1, \"template\": false}"),
      std::string::npos)
      << pairs[0];
  EXPECT_EQ(pairs[1].find("{\"id\": [3], \"file\": \"" + options.inputs[1]), 0U) << pairs[1];
  EXPECT_NE(pairs[1].find("\"kind\": \"identical\", \"resemblance\": 1"), std::string::npos);
  EXPECT_NE(pairs[2].find("\"kind\": \"lexical\""), std::string::npos) << pairs[2];
  const std::vector<std::string> members = rows_of(options.output, ResultList::clusters);
  ASSERT_EQ(members.size(), 3U);
  EXPECT_EQ(members[0].find("{\"cluster\": 0}{\"id\": 2, "), 0U) << members[0];
  EXPECT_NE(members[0].find("representative_{\"id\": 1, "), std::string::npos) << members[0];
  EXPECT_NE(rows_of(folder / "none", ResultList::clusters)[0].find("error: "), std::string::npos);
  std::filesystem::remove(options.output + "/clusters.jsonl.zst");
  put_file(options.output + "/clusters.jsonl.zst", "{\"no\": 1}\n", Compression::zstd);
  EXPECT_NE(rows_of(options.output, ResultList::clusters)[0].find(":1 is damaged"),
            std::string::npos);
}

TEST(ReadList, LinesAreListsInAFileAndInMemory) {
  const ScratchFolder folder;
  SketchOptions options;
  options.inputs = {folder.write("a.jsonl",
                                 "{\"id\":1,\"text\":\"one two three four five\"}\n"
                                 "{\"id\":[2],\"text\":\"One two three four five\"}\n"
                                 "{\"id\":3,\"text\":\"\"}\n")};
  options.output = folder / "lines.jsonl";
  options.features = 2;
  ASSERT_TRUE(sketch(options, quiet_control()).ok());
  const auto rows = rows_of(options.output, ResultList::signatures);
  std::string lines;
  for (const std::string& row : rows) lines += row + "\n";
  EXPECT_EQ(lines, folder.read("lines.jsonl"));
  put_file(folder / "packed.jsonl.zst", lines, Compression::zstd);
  EXPECT_EQ(rows_of(folder / "packed.jsonl.zst", ResultList::signatures), rows);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_NE(rows[2].find("\"signature\": null, \"features\": 0}"), std::string::npos) << rows[2];
  EXPECT_EQ(rows_in(lines, ResultList::signatures), rows);
  EXPECT_EQ(rows_in(lines.substr(0, lines.size() - 1), ResultList::signatures), rows);
  EXPECT_TRUE(rows_in("", ResultList::signatures).empty());
  JoinOptions join;
  join.inputs = {options.output};
  join.output = folder / "pairs.jsonl";
  ASSERT_TRUE(join_sketches(join, quiet_control()).ok());
  const auto pairs = rows_of(join.output, ResultList::joined);
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0] + "\n", folder.read("pairs.jsonl"));
  EXPECT_EQ(rows_in(folder.read("pairs.jsonl"), ResultList::joined), pairs);
  EXPECT_EQ(rows_in(rows[0] + "\n{\"id\": 1}", ResultList::signatures)[1].find("error: line 2"),
            0U);
  EXPECT_EQ(rows_in(lines, ResultList::kept)[0], "error: this list is in a folder");
}

TEST(ReadList, HitsAreARowEach) {
  const ScratchFolder folder;
  IndexOptions options;
  options.index = folder / "x";
  options.settings.texts = true;
  ASSERT_TRUE(create_index(options, quiet_control()).ok());
  options.inputs = {folder.write("a.jsonl",
                                 "{\"id\":1,\"text\":\"one two three four five\",\"n\":7}\n"
                                 "{\"id\":\"b\",\"text\":\"one two three four five\"}\n")};
  options.field = {"n"};
  ASSERT_TRUE(add_to_index(options, quiet_control()).ok());
  options.output = folder / "out.jsonl";
  ASSERT_TRUE(export_index(options, quiet_control()).ok());
  const auto documents = rows_of(options.output, ResultList::documents);
  // The second has nothing of what the first had.
  EXPECT_EQ(documents,
            (std::vector<std::string>{
                "{\"id\": 1, \"fields\": {\"n\": 7}, \"text\": \"one two three four five\"}",
                "{\"id\": \"b\", \"text\": \"one two three four five\"}"}));
  QueryOptions query;
  query.index = options.index;
  query.inputs = {folder.write("q.jsonl",
                               "{\"id\":5,\"text\":\"one two three four five\"}\n"
                               "{\"id\":6,\"text\":\"something else\"}\n"
                               "{\"id\":7,\"text\":\"one two three four five six\"}\n")};
  query.output = folder / "hits.jsonl";
  ASSERT_TRUE(query_index(query, quiet_control()).ok());
  const auto hits = rows_of(query.output, ResultList::hits);
  ASSERT_EQ(hits.size(), 4U);
  EXPECT_EQ(hits[0].find(
                "{\"id\": 5, \"file\": \"" + query.inputs[0] +
                "\", \"record\": 1}hit_{\"id\": 1, \"fields\": {\"n\": 7}, \"same\": \"bytes\", "),
            0U)
      << hits[0];
  EXPECT_NE(hits[1].find("hit_{\"id\": \"b\", \"same\": \"bytes\", "), std::string::npos)
      << hits[1];
  EXPECT_EQ(hits[2].find("{\"id\": 7, "), 0U);
  EXPECT_NE(hits[3].find("\"same\": \"no\", \"resemblance\": {\"value\": 0.5, "), std::string::npos)
      << hits[3];
  EXPECT_EQ(rows_in(folder.read("hits.jsonl"), ResultList::hits), hits);
}

TEST(ReadList, SpansNameBothPlaces) {
  const ScratchFolder folder;
  SpansOptions options;
  options.inputs = {folder.write("a.jsonl",
                                 "{\"id\":1,\"text\":\"one two three four five\"}\n"
                                 "{\"id\":2,\"text\":\"zero one two three four\"}\n")};
  options.output = folder / "spans";
  options.min_tokens = 4;
  ASSERT_TRUE(spans(options, quiet_control()).ok());
  const std::vector<std::string> rows = rows_of(options.output, ResultList::spans);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_NE(rows[0].find("\"tokens\": 4"), std::string::npos) << rows[0];
}

/// Hashes of any length are read as they were written.
TEST(ReadList, MatchesAndLoopsOfDetectAreItsLines) {
  for (const ChunkHash hash : {ChunkHash::xxh3, ChunkHash::sha1, ChunkHash::blake3}) {
    const ScratchFolder folder;
    Crawl crawl = made_crawl(8, 60);
    crawl.pages.push_back({"http://a.org/x/x/x/x/y", {crawl_chunk(1000)}});
    DetectOptions options = crawl.options(folder);
    options.labels = folder / "other.labels";
    ChunkRules rules;
    rules.hash = hash;
    write_labels(options.labels, crawl.known_chunks, crawl.known_files, rules);
    const auto done = detect(options, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    const auto lines_in = [&](const std::string& name) {
      std::vector<std::string> lines;
      EXPECT_TRUE(for_each_raw_line(unsynced(), options.output + "/" + name,
                                    [&](std::string_view raw) -> Result<bool> {
                                      lines.emplace_back(raw.substr(0, raw.find('\n')));
                                      return true;
                                    })
                      .ok());
      return lines;
    };
    const std::vector<std::string> matches = rows_of(options.output, ResultList::matches);
    EXPECT_EQ(matches, lines_in("matches.jsonl.zst"));
    EXPECT_EQ(matches.size(), done.value().labeled_chunks + done.value().labeled_files);
    EXPECT_EQ(rows_of(options.output, ResultList::recursion), lines_in("recursion.jsonl.zst"));
    EXPECT_EQ(rows_of(options.output, ResultList::recursion).size(), 1U);
  }
}

}  // namespace
}  // namespace twinset

// Lists of output folders, row by row: as the run told them, and as the files say.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "io/field_json.h"
#include "support_runs/cluster_testing.h"
#include "support_runs/small_run.h"
#include "twinset/cluster.h"
#include "twinset/dedup.h"
#include "twinset/look.h"
#include "twinset/spans.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// The rows as objects; or the error.
std::vector<std::string> rows_of(const std::string& folder, ResultList list, int most = 1000) {
  std::vector<std::pair<std::string, std::vector<Field>>> groups;
  std::vector<std::string> rows;
  const Status done = read_list(
      folder, list, quiet_control(),
      [&](std::string_view prefix, std::vector<Field> fields) {
        groups.emplace_back(prefix, std::move(fields));
      },
      [&]() -> Status {
        std::string row;
        for (const auto& [prefix, fields] : groups) row += prefix + fields_json(fields);
        rows.push_back(row);
        return static_cast<int>(rows.size()) == most ? usage_error("enough") : Status();
      });
  if (!done.ok()) rows.push_back("error: " + done.error().message);
  return rows;
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

}  // namespace
}  // namespace twinset

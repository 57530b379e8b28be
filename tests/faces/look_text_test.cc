#include <gtest/gtest.h>

#include "twinset/look.h"

namespace twinset {
namespace {

TEST(LookText, FactsOfAFileStandInTwoColumns) {
  EXPECT_EQ(to_text(FileFacts{{"format", "jsonl"}, {"records", "3"}}),
            "format        jsonl\nrecords       3\n");
}

ShownRecord record(std::string id, std::uint64_t number, std::optional<std::string> words) {
  ShownRecord out;
  out.name = {std::move(id), "in.jsonl", number};
  out.words = std::move(words);
  return out;
}

TEST(LookText, ALinkHasBothRecordsWithTheirWords) {
  Shown shown;
  shown.kind = Shown::Kind::removed;
  shown.found = 1200;
  shown.links = {
      {RemovalKind::near, 0.8567, {}, record("a\x1b", 1, "red \x1b[31m"), record("b", 2, "")}};
  shown.notes = {"in.jsonl has changed"};
  EXPECT_EQ(to_text(shown),
            "1,200 removed records; the 1 least alike\n"
            "\n  0.856  near  a\\x1b  (in.jsonl, record 1)\n         red \\x1b[31m\n"
            "   kept  b  (in.jsonl, record 2)\n         (no text)\n"
            "\nNote: in.jsonl has changed.\n");
  shown.kind = Shown::Kind::pairs;
  shown.links[0].distance = 3;
  EXPECT_NE(to_text(shown).find("\n 3 bits  near"), std::string::npos) << to_text(shown);
}

TEST(LookText, AClusterSaysHowManyMoreItHas) {
  Shown shown;
  shown.kind = Shown::Kind::largest_clusters;
  shown.found = 2;
  shown.documents = 9;
  ShownCluster cluster;
  cluster.documents = 7;
  cluster.records = {record("first", 1, {}), record("next", 2, {})};
  cluster.records[1].resemblance = 1;
  shown.clusters = {cluster};
  EXPECT_EQ(to_text(shown),
            "2 clusters of 9 documents; the largest 1\n"
            "\n      7  first  (in.jsonl, record 1)\n  1.000  next  (in.jsonl, record 2)\n"
            "         ... 5 more ...\n\n");
}

TEST(LookText, ADocumentOfAClusterHasItsRepresentativeAndPairs) {
  Explanation found;
  found.document = {"v2", "in.jsonl", 2};
  found.cluster.emplace();
  found.cluster->documents = 3;
  found.cluster->representative = {"v1", "in.jsonl", 1};
  found.cluster->pairs = 2;
  AlikeRecord other;
  other.name = {"v1", "in.jsonl", 1};
  other.distance = 1;
  found.cluster->nearest = {other};
  const std::string text = to_text(found);
  EXPECT_NE(text.find("in a cluster of 3 documents; its representative is\n  v1\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  1 bit  v1  (in.jsonl, record 1)\n  ... 1 more ...\n"), std::string::npos)
      << text;
}

}  // namespace
}  // namespace twinset

#include <gtest/gtest.h>

#include "io/json_read.h"
#include "twinset/reuse.h"

namespace twinset {
namespace {

DiscoverSummary sample() {
  DiscoverSummary summary;
  summary.read = 12;
  summary.pages = 10;
  summary.recursion_errors = 1;
  summary.recursion_examples = {"http://a.org/x/x/x/\x1b[2J"};
  summary.chunks.seen = 4321;
  summary.chunks.distinct = 100;
  summary.chunks.labels = 1;
  summary.chunks.labels_seen = 4000;
  summary.chunks.expected_false_matches = 1.44e-35;
  summary.chunks.frequencies = {{1, 99, 0}, {4000, 1, 1}};
  summary.chunks.stop_seen = 9;
  summary.top = {{false, "00ff", 4000, 10, 3, "http://a.org/1", "<p>\x1b[31mcopied words"}};
  return summary;
}

TEST(DiscoverText, ForATerminal) {
  const std::string text = to_text(sample());
  EXPECT_NE(text.find("4,321  chunks seen, 100 distinct; false matches expected among them: "
                      "1.4e-35\n"),
            text.npos)
      << text;
  EXPECT_NE(text.find("9  chunks are in the set of stop chunks\n"), text.npos);
  EXPECT_NE(text.find("1  chunk is a label, 92.6 % of all that were seen\n"), text.npos);
  EXPECT_NE(text.find("       4,000          10        3  chunk  <p>"), text.npos);
  EXPECT_EQ(text.find('\x1b'), text.npos);
}

TEST(DiscoverText, R33ExpectedFalseMatchesAreInJsonToo) {
  const std::string json = to_json(sample());
  const Result<JsonNode> read = read_json(json, "summary");
  ASSERT_TRUE(read.ok()) << read.error().message;
  const JsonNode chunks = read.value()["chunks"];
  EXPECT_EQ(chunks["seen"].integer(), 4321U);
  EXPECT_NEAR(chunks["expected_false_matches"].real().value(), 1.44e-35, 1e-36);
  ASSERT_EQ(chunks["frequencies"].elements().size(), 2U);
  EXPECT_EQ(chunks["frequencies"].elements()[1].raw(), "[4000, 1, 1]");
  EXPECT_EQ(read.value()["top"].elements()[0]["hash"].text(), "00ff");
}

}  // namespace
}  // namespace twinset

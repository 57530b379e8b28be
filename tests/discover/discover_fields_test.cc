#include "io/json_read.h"
#include "support/field_check.h"
#include "twinset/reuse.h"

namespace twinset {
namespace {

TEST(DiscoverFields, GoBothWays) {
  testing::expect_both_ways(DiscoverSummary());
  DiscoverSummary summary;
  testing::fill_fields(fields_of(summary));
  const DiscoverSummary again = testing::expect_both_ways(summary);
  EXPECT_EQ(again.recursion_examples, summary.recursion_examples);
  EXPECT_EQ(again.chunks.frequencies.at(1).labels, summary.chunks.frequencies[1].labels);
  EXPECT_EQ(again.top.at(1).text, summary.top[1].text);
}

TEST(DiscoverFields, FrequenciesAreRowsAndLabelsAreLines) {
  DiscoverSummary summary;
  summary.chunks.frequencies = {{1, 99, 0}, {4000, 1, 1}};
  summary.top = {{false, "00ff", 4, 3, 2, "http://a.org/1", "a"}, {true, "01", 1, 1, 1, "", ""}};
  const std::string json = fields_json(fields_of(summary));
  EXPECT_NE(json.find("\"frequencies\": [[1, 99, 0], [4000, 1, 1]]}"), json.npos) << json;
  EXPECT_NE(json.find("\"top\": [\n    {\"kind\": \"chunk\", \"hash\": \"00ff\", \"count\": 4, "
                      "\"documents\": 3, \"sites\": 2, \"url\": \"http://a.org/1\", \"text\": "
                      "\"a\"},\n    {\"kind\": \"file\", "),
            json.npos)
      << json;
}

TEST(DiscoverFields, TheMostFrequentCountsAreLeftOut) {
  ObjectCounts counts;
  for (std::uint64_t count = 1; count <= 10'002; ++count) counts.frequencies.push_back({count, 1});
  const std::string json = fields_json(fields_of(counts));
  const Result<JsonNode> made = read_json(json, "counts");
  ASSERT_TRUE(made.ok());
  ASSERT_EQ(made.value()["frequencies"].elements().size(), 10'000U);
  EXPECT_EQ(made.value()["frequencies"].elements().back().raw(), "[10000, 1, 0]");
}

}  // namespace
}  // namespace twinset

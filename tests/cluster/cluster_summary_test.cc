// summary.json of clustering: valid JSON, with each figure in its place.
#include "cluster/cluster_summary.h"

#include <gtest/gtest.h>

#include <string>

#include "io/json_read.h"

namespace twinset {
namespace {

TEST(ClusterSummary, HasEachFigure) {
  ClusterSummary summary;
  summary.read = 12;
  summary.documents = 10;
  summary.quarantined = 2;
  summary.all = {3, 9};
  summary.identical_only = {1, 4};
  summary.sizes = {0, 2, 1};
  summary.kept_pairs = 7;
  summary.tells_containment = true;
  summary.verified_pairs = 11;
  summary.check = Check::exact;
  summary.common = {{1001, "\"d \\\"1\\\"\"", "all \"rights\" reserved"}};
  ClusterOptions options;
  options.floor = Ratio(1, 4);
  options.shape = ClusterShape::stars;
  const std::string text = cluster_summary_json(summary, options, "who");
  const Result<JsonNode> parsed = read_json(text, "summary");
  ASSERT_TRUE(parsed.ok()) << text;
  const JsonNode made = parsed.value();
  EXPECT_EQ(made["read"].integer(), 12U);
  EXPECT_EQ(made["clusters"]["mixed"]["clusters"].integer(), 2U);
  EXPECT_EQ(made["clusters"]["mixed"]["documents"].integer(), 5U);
  EXPECT_EQ(made["clusters"]["sizes"].elements().size(), 3U);
  EXPECT_EQ(made["counting"]["kept_pairs"].integer(), 7U);
  EXPECT_EQ(made["counting"]["verified_pairs"].integer(), 11U);
  EXPECT_EQ(made["pairs_count"].text(), "shingles");
  EXPECT_EQ(made["tells_containment"].boolean(), true);
  EXPECT_EQ(made["common_shingles"].elements()[0]["text"].text(), "all \"rights\" reserved");
  EXPECT_EQ(made["common_shingles"].elements()[0]["sample"].text(), "d \"1\"");
  EXPECT_EQ(made["options"]["floor"].text(), "0.25");
  EXPECT_EQ(made["options"]["shape"].text(), "stars");
  EXPECT_EQ(made["run"]["identity"].text(), "who");
}

}  // namespace
}  // namespace twinset

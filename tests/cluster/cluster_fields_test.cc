#include "cluster/cluster_fields.h"

#include <string>

#include "io/json_read.h"
#include "run/summary.h"
#include "support/field_check.h"

namespace twinset {
namespace {

/// Every member has a value of its own.
ClusterSummary filled() {
  ClusterSummary summary;
  testing::fill_fields(fields_of(summary));
  summary.read = summary.documents + summary.quarantined + summary.filtered + summary.carried;
  summary.lines = summary.inputs[0].lines + summary.inputs[1].lines;
  summary.all = {9, 40};
  summary.check = Check::sketch;
  summary.tells = Tells::distance;
  summary.counts_keys = false;
  return summary;
}

TEST(ClusterFields, GoBothWays) {
  testing::expect_both_ways(ClusterSummary());
  const ClusterSummary summary = filled();
  const ClusterSummary again = testing::expect_both_ways(summary);
  EXPECT_EQ(again.check, Check::sketch);
  EXPECT_EQ(again.tells, Tells::distance);
  EXPECT_FALSE(again.counts_keys);
  EXPECT_EQ(again.sizes, summary.sizes);
  EXPECT_EQ(again.common.at(1).sample_id, summary.common[1].sample_id);
  EXPECT_EQ(again.unseen_pairs->high, summary.unseen_pairs->high);
  EXPECT_EQ(again.checked_edges->share.low, summary.checked_edges->share.low);
  EXPECT_EQ(again.distances.at(1).mean_size, summary.distances[1].mean_size);
}

TEST(ClusterFields, EveryKindOfLinkIsReadBack) {
  for (const LinkKind kind : {LinkKind::shingles, LinkKind::keys, LinkKind::estimate,
                              LinkKind::distance, LinkKind::signature, LinkKind::nothing}) {
    ClusterSummary summary;
    summary.check = kind == LinkKind::shingles  ? Check::exact
                    : kind == LinkKind::nothing ? Check::none
                                                : Check::sketch;
    summary.counts_keys = kind == LinkKind::shingles || kind == LinkKind::keys;
    summary.tells = kind == LinkKind::distance    ? Tells::distance
                    : kind == LinkKind::signature ? Tells::coordinate
                                                  : Tells::resemblance;
    ASSERT_EQ(link_kind_of(summary), kind);
    const ClusterSummary again = testing::expect_both_ways(summary);
    EXPECT_EQ(link_kind_of(again), kind);
    EXPECT_EQ(again.counts_keys, summary.counts_keys);
  }
}

TEST(ClusterFields, WhatDoesNotAddUpIsAnError) {
  const auto refusal = [](ClusterSummary summary) {
    const std::string json = fields_json(fields_of(summary));
    ClusterSummary again;
    const Status read = read_fields(json, "x", fields_of(again));
    return read.ok() ? "" : read.error().message;
  };
  ClusterSummary records = filled();
  ++records.read;
  EXPECT_NE(refusal(records).find("documents = read - quarantined"), std::string::npos);
  ClusterSummary lines = filled();
  // A sum that is right modulo 2^64.
  lines.inputs[0].lines = UINT64_MAX;
  lines.inputs[1].lines = lines.lines + 1;
  EXPECT_NE(refusal(lines).find("counting.lines is the sum"), std::string::npos);
}

TEST(ClusterSummary, HasEachFigure) {
  ClusterSummary summary;
  summary.read = 12;
  summary.documents = 10;
  summary.quarantined = 2;
  summary.identity = "who";
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
  const std::string text = summary_json(summary, options);
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

// The report of changes: a timeline, distributions, and the pages that broke, drawn from its facts.
#include <gtest/gtest.h>

#include "faces/facts.h"
#include "faces/reports.h"

namespace twinset::testing {
namespace {

TEST(TrackReport, DrawsTimelineAndDistributions) {
  TrackOptions options;
  options.output = "changes";
  TrackSummary summary;
  summary.counts.pages = 2;
  summary.counts.versions = 5;
  summary.counts.same = 1;
  summary.counts.small = 1;
  summary.counts.large = 1;
  summary.by_resemblance.assign(21, 0);
  summary.by_resemblance[18] = 2;
  summary.by_distance.assign(65, 0);
  summary.by_distance[12] = 2;
  summary.months = {{"2026-01", 3, 1, 0, 1}, {"2026-02", 2, 1, 1, 0}};
  summary.broken_pages = {"http://a.org/<b>"};
  const auto files = track_report({options, summary});
  ASSERT_TRUE(files.ok()) << files.error().message;
  const auto facts = read_report_facts(files.value().json, "report.json");
  ASSERT_TRUE(facts.ok());
  std::vector<std::string> names;
  for (const Section& section : facts.value().sections) names.push_back(section.name);
  EXPECT_EQ(names, (std::vector<std::string>{"totals", "timeline", "changes", "ends", "hosts",
                                             "broken", "run"}));
  const Section& timeline = facts.value().sections[1];
  ASSERT_EQ(timeline.histograms.size(), 2U);
  EXPECT_EQ(timeline.histograms[0].bars[0].counts, (std::vector<std::uint64_t>{2, 1}));
  EXPECT_EQ(facts.value().sections[2].histograms[1].bars.size(), 13U);
  EXPECT_EQ(files.value().page.find("<b>"), std::string::npos);
  EXPECT_NE(files.value().page.find("2026-02"), std::string::npos);
}

}  // namespace
}  // namespace twinset::testing

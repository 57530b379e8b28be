#include <gtest/gtest.h>

#include "faces/facts.h"
#include "faces/reports.h"

namespace twinset {
namespace {

DiscoverSummary summary_of_a_crawl() {
  DiscoverSummary summary;
  summary.pages = 1000;
  summary.sites = 7;
  summary.rules = "html(p,div) markup xxh3(seed=0) least=101";
  summary.recursion_errors = 2;
  summary.recursion_examples = {"http://a.org/x/x/x/"};
  summary.chunks.seen = 5000;
  summary.chunks.distinct = 900;
  summary.chunks.labels = 2;
  summary.chunks.labels_seen = 1500;
  summary.chunks.short_seen = 77;
  summary.chunks.in_site = 3;
  summary.chunks.frequencies = {{1, 800, 0}, {3, 98, 0}, {700, 1, 1}, {800, 1, 1}};
  summary.top = {{false, "ab", 800, 799, 5, "http://a.org/", "<script>alert(1)</script>"}};
  return summary;
}

TEST(DiscoverReport, ThePageHasWhatTheFactsHave) {
  DiscoverOptions options;
  options.output = "crawl.labels";
  options.over_chunks = 500;
  options.stop_in_site = 50;
  const DiscoverSummary summary = summary_of_a_crawl();
  const Result<ReportFiles> made = discover_report({options, summary});
  ASSERT_TRUE(made.ok()) << made.error().message;
  const Result<ReportFacts> facts = read_report_facts(made.value().json, "report.json");
  ASSERT_TRUE(facts.ok()) << facts.error().message;
  const Section* frequencies = nullptr;
  const Section* labels = nullptr;
  for (const Section& section : facts.value().sections) {
    if (section.name == "frequencies") frequencies = &section;
    if (section.name == "labels") labels = &section;
  }
  ASSERT_NE(frequencies, nullptr);
  // 1, 2 to 3, ..., 512 to 1,023.
  const std::vector<Bar>& bars = frequencies->histograms.front().bars;
  ASSERT_EQ(bars.size(), 10U);
  EXPECT_EQ(bars[0].counts, (std::vector<std::uint64_t>{800, 0}));
  EXPECT_EQ(bars[1].counts, (std::vector<std::uint64_t>{98, 0}));
  EXPECT_EQ(bars[9].counts, (std::vector<std::uint64_t>{0, 2}));
  EXPECT_EQ(bars[9].range, "512 to 1,023");
  // Each frequency is a point, with the threshold; there is no plot of files, of which there are
  // none.
  ASSERT_EQ(frequencies->plots.size(), 1U);
  const Plot& plot = frequencies->plots.front();
  EXPECT_TRUE(plot.logarithmic);
  ASSERT_EQ(plot.series.size(), 2U);
  EXPECT_EQ(plot.series[0].name, "labels");
  ASSERT_EQ(plot.series[0].points.size(), 2U);
  EXPECT_EQ(plot.series[0].points[1].across, 800);
  EXPECT_EQ(plot.series[0].points[1].up, 1);
  EXPECT_EQ(plot.series[0].threshold, 500);
  EXPECT_EQ(plot.series[1].points.size(), 2U);
  EXPECT_EQ(plot.series[1].points[0].up, 800);
  ASSERT_NE(labels, nullptr);
  EXPECT_EQ(labels->list.front().documents.front().id, "http://a.org/");
  const std::string& page = made.value().page;
  EXPECT_NE(page.find("&lt;script&gt;alert(1)"), page.npos);
  EXPECT_EQ(page.find("<script>alert"), page.npos);
  EXPECT_NE(page.find("on more than 50 pages of one site"), page.npos);
  EXPECT_NE(page.find("2 pages have URLs"), page.npos);
  EXPECT_EQ(page.find("record 0"), page.npos);
}

TEST(DiscoverReport, ThePlotsDoNotGrowWithTheCollection) {
  DiscoverSummary summary;
  for (std::uint64_t i = 1; i < 200'000; ++i) summary.chunks.frequencies.push_back({i, i % 97, 0});
  const Result<ReportFiles> made = discover_report({DiscoverOptions(), summary});
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_LT(made.value().json.size(), 300'000U);
}

TEST(DiscoverReport, NothingFoundIsAPageToo) {
  const Result<ReportFiles> made = discover_report({DiscoverOptions(), DiscoverSummary()});
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_EQ(made.value().page.find("labels seen most"), std::string::npos);
}

}  // namespace
}  // namespace twinset

#include "browse/overview.h"

#include "browse/browse_testing.h"
#include "faces/facts.h"
#include "support_runs/small_run.h"

namespace twinset {
namespace {

using namespace twinset::testing;

ReportFacts overview_of(const RunBrowser& run) {
  const Result<std::string> json = run.overview();
  EXPECT_TRUE(json.ok()) << json.error().text();
  const Result<ReportFacts> facts = read_report_facts(json.value(), "overview");
  EXPECT_TRUE(facts.ok()) << facts.error().text();
  return facts.value();
}

const Section* section_of(const ReportFacts& facts, const std::string& name) {
  for (const Section& section : facts.sections) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

TEST(Overview, IsMadeOfTheSummaryAndTheClusters) {
  MadeFolder made;
  made.draw(31, 100);
  made.write();
  const ReportFacts facts = overview_of(made.browse());
  EXPECT_EQ(facts.title, "Near-duplicates");
  ASSERT_NE(section_of(facts, "totals"), nullptr);
  ASSERT_NE(section_of(facts, "run"), nullptr);
  const Section* const histograms = section_of(facts, "histograms");
  ASSERT_NE(histograms, nullptr);
  std::uint64_t clusters = 0;
  for (const Bar& bar : histograms->histograms[0].bars) clusters += bar.counts[0];
  EXPECT_EQ(clusters, 100U);
  std::uint64_t near = 0;
  for (const Bar& bar : histograms->histograms.at(1).bars) near += bar.counts[0];
  std::uint64_t expected = 0;
  std::size_t largest = 0;
  for (const MadeCluster& cluster : made.clusters) {
    largest = std::max(largest, cluster.size());
    for (std::size_t j = 1; j < cluster.size(); ++j) {
      expected += cluster[j].kind == RemovalKind::near ? 1 : 0;
    }
  }
  EXPECT_EQ(near, expected);
  const Section* const list = section_of(facts, "largest");
  ASSERT_NE(list, nullptr);
  EXPECT_EQ(list->list.size(), 12U);
  EXPECT_EQ(list->list[0].facts[0].value.number, largest);
}

TEST(Overview, IsTheReportOfTheFolderIfThereIsOne) {
  SmallRun small;
  small.options.report = small.options.output + "/report.html";
  small.run();
  const RunBrowser run =
      RunBrowser::open({.folder = small.options.output}, quiet_control()).value();
  EXPECT_EQ(run.overview().value(), small.folder.read("out/report.json"));
  // One that cannot be read is not shown.
  small.folder.write("out/report.json", "{\"format\": \"twinset report 1\", \"odd\": 1}\n");
  EXPECT_NE(section_of(overview_of(run), "largest"), nullptr);
}

}  // namespace
}  // namespace twinset

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "faces/facts.h"
#include "faces/reports.h"
#include "support_runs/small_run.h"

namespace twinset {
namespace {

using testing::SmallRun;

TEST(DedupReport, ShowsTotalsAndThePairSideBySide) {
  SmallRun small;
  small.options.report = small.options.output + "/report.html";
  small.run();
  const std::string page = small.folder.read("out/report.html");
  EXPECT_EQ(page.rfind("<!", 0), 0U);
  for (const char* seen : {"n1", "n4", "week", "notices.jsonl", "The library will be closed"}) {
    EXPECT_NE(page.find(seen), std::string::npos) << seen;
  }
  // The facts are beside the page, and both are listed.
  EXPECT_TRUE(
      small.folder.read("out/report.json").starts_with("{\"format\": \"twinset report 1\""));
  std::set<std::string> outputs;
  for (const OutputFile& file : small.summary.outputs) outputs.insert(file.name);
  EXPECT_TRUE(outputs.contains("report.html"));
  EXPECT_TRUE(outputs.contains("report.json"));
}

TEST(DedupReport, ShowsOnePairOfEachKind) {
  SmallRun small;
  small.options.report = small.folder / "page.html";
  small.run();
  const Result<ReportFacts> facts = read_report_facts(small.folder.read("page.json"), "page.json");
  ASSERT_TRUE(facts.ok()) << facts.error().message;
  std::set<Fate> kinds;
  for (const Section& section : facts.value().sections) {
    for (const ShownPair& pair : section.pairs) kinds.insert(pair.color);
  }
  EXPECT_EQ(kinds, (std::set<Fate>{Fate::identical, Fate::lexical, Fate::near}));
}

TEST(DedupReport, MapsItsClusters) {
  SmallRun small;
  small.options.report = small.folder / "page.html";
  small.run();
  const Result<ReportFacts> facts = read_report_facts(small.folder.read("page.json"), "page.json");
  ASSERT_TRUE(facts.ok()) << facts.error().message;
  const auto largest =
      std::find_if(facts.value().sections.begin(), facts.value().sections.end(),
                   [](const Section& section) { return section.name == "largest"; });
  ASSERT_NE(largest, facts.value().sections.end());
  ASSERT_EQ(largest->tiles.size(), small.summary.clusters);
  ASSERT_EQ(largest->list.size(), small.summary.clusters) << "so each tile leads to an item";
  for (std::size_t i = 0; i < largest->tiles.size(); ++i) {
    const Tile& tile = largest->tiles[i];
    EXPECT_EQ(tile.name, largest->list[i].documents[0].id);
    EXPECT_EQ(tile.count, largest->list[i].facts[0].value.number);
    EXPECT_EQ(tile.link.number, i + 1);
  }
}

TEST(DedupReport, OverwritesNothing) {
  for (const char* name : {"page.html", "page.json"}) {
    SmallRun small;
    small.options.report = small.folder / "page.html";
    small.folder.write(name, "mine");
    const Result<DedupSummary> done = dedup(small.options, RunControl{});
    ASSERT_FALSE(done.ok());
    EXPECT_NE(done.error().text().find(std::string(name) + " exists"), std::string::npos);
    EXPECT_EQ(small.folder.read(name), "mine");
  }
}

TEST(DedupReport, ItsFactsMayNotTakeTheNameOfTheSummary) {
  SmallRun small;
  small.options.report = small.options.output + "/summary.html";
  const Result<DedupSummary> done = dedup(small.options, RunControl{});
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code, ErrorCode::usage);
  EXPECT_NE(done.error().message.find("summary.json"), std::string::npos);
}

TEST(DedupReport, AMissingPartMakesAFinishedRunIncomplete) {
  SmallRun small;
  small.options.report = small.folder / "page.html";
  small.run();
  std::filesystem::remove(small.folder / "page.json");
  const Result<DedupSummary> again = dedup(small.options, RunControl{});
  ASSERT_FALSE(again.ok());
  EXPECT_NE(again.error().message.find("page.json is missing"), std::string::npos);
}

TEST(DedupReport, StandsOutsideTheOutputToo) {
  SmallRun small;
  small.options.report = small.folder / "page.html";
  small.run();
  EXPECT_NE(small.folder.read("page.html").find("</html>"), std::string::npos);
}

TEST(DedupReport, HasTheTextsOfCompressedInputsWhateverVerifiesThem) {
  for (const Check how : {Check::exact, Check::sketch}) {
    SmallRun small;
    const std::string packed = small.folder / "notices.jsonl.zst";
    ASSERT_EQ(std::system(("zstd -q " + small.input + " -o " + packed).c_str()), 0);
    small.options.inputs = {packed};
    small.options.verify = how;
    small.options.report = small.folder / "page.html";
    small.run();
    EXPECT_NE(small.folder.read("page.html").find("week"), std::string::npos);
  }
}

}  // namespace
}  // namespace twinset

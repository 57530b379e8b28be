#include "faces/facts.h"
#include "faces/reports.h"
#include "support_runs/job_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(SpansReport, ShowsLengthsTextsAndWhoSharesWithWhom) {
  const ScratchFolder folder;
  std::string passage;
  for (int i = 0; i < 12; ++i) passage += "word" + std::to_string(i) + " ";
  SpansOptions options;
  options.inputs = {folder.write("in/a.txt", "First text. " + passage + "Its end."),
                    folder.write("in/b.txt", "Another one: " + passage + "More <words> of it."),
                    folder.write("in/c.txt", "Nothing shared here."),
                    folder.write("in/d.txt", passage + passage)};
  options.output = folder / "out";
  options.report = folder / "out/report.html";
  options.min_tokens = 10;
  const Result<SpansSummary> done = spans(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  const ReportFacts facts =
      read_report_facts(folder.read("out/report.json"), "report.json").value();
  std::string names;
  for (const Section& section : facts.sections) names += section.name + " ";
  EXPECT_EQ(names, "totals histograms reused sources network pairs run ");
  const Section& reused = facts.sections[2];
  ASSERT_EQ(reused.list.size(), 2U);
  EXPECT_EQ(reused.list[0].documents[0].file, "d.txt");
  const Section& pairs = facts.sections[5];
  ASSERT_EQ(pairs.pairs.size(), 3U);
  EXPECT_EQ(pairs.pairs[0].a.file, "a.txt");
  EXPECT_EQ(pairs.pairs[0].b.file, "d.txt");
  EXPECT_EQ(pairs.pairs[0].tag, "24 shared words");
  // All of d stands in a.
  EXPECT_EQ(value_text(pairs.pairs[0].facts[0].value), "100.0 %");
  EXPECT_NE(folder.read("out/report.html").find("Who shares with whom"), std::string::npos);
}

}  // namespace
}  // namespace twinset

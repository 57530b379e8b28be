#include "spans/spans_report.h"

#include "report/facts.h"
#include "support_runs/job_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(SpanFacts, KeepThePairsThatShareMost) {
  SpanFacts facts;
  for (std::uint64_t i = 1; i <= 200; ++i) {
    ASSERT_TRUE(
        facts.add({DocumentId(i % 2, i), DocumentId(1, i + 1), 2, 1000 + i * 7 % 200, 9}).ok());
  }
  // Within one text: counted, but no pair to show.
  ASSERT_TRUE(facts.add({DocumentId(1, 5), DocumentId(1, 5), 1, 100'000, 9}).ok());
  ASSERT_EQ(facts.most_shared().size(), 60U);
  EXPECT_TRUE(std::is_sorted(facts.most_shared().begin(), facts.most_shared().end(),
                             [](const auto& x, const auto& y) { return x.tokens > y.tokens; }));
  EXPECT_EQ(facts.most_shared().front().tokens, 1199U);
  EXPECT_EQ(facts.sources().at({0, 1}).text_pairs, 100U);
  EXPECT_EQ(facts.sources().at({1, 1}).spans, 201U);
  facts.add_text({4, 10, 20});
  facts.add_text({3, 50, 60});
  EXPECT_EQ(facts.most_reused().front().index, 3U);
}

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
  options.least_tokens = 10;
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

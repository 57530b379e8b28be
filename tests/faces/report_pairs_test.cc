// What a report says of documents and pairs, without a verb.
#include "faces/run_report.h"
#include "support_runs/job_fixture.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(RunReport, ShowsAPairOnceWithNamesAndNumbers) {
  JobFixture fixture(texts_as_collection(
      {"one two three four five six seven", "apart", "one two three four five six eight"}));
  fixture.read();
  RunReport report(fixture.job(), *fixture.stores().records, fixture.table(),
                   {{Ratio(1, 2), Ratio(9, 10)}, "Kept", "Removed"});
  const SeenPair seen{0, 2, Fate::near, Link::exact({2, 3, 3}), false};
  const Anchor first = report.show(seen, "the only pair");
  const Anchor again = report.show(seen, "seen again");
  EXPECT_EQ(first.number, again.number);
  EXPECT_EQ(report.threshold_text(), "resemblance 0.500 or more, or containment 0.900 or more");
  const Result<ReportFiles> files = report.finish(RunFacts(), {});
  ASSERT_TRUE(files.ok()) << files.error().message;
  const Result<ReportFacts> facts = read_report_facts(files.value().json, "report.json");
  ASSERT_TRUE(facts.ok()) << facts.error().message;
  std::vector<ShownPair> pairs;
  for (const Section& section : facts.value().sections) {
    pairs.insert(pairs.end(), section.pairs.begin(), section.pairs.end());
  }
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].a.record, 1U);
  EXPECT_EQ(pairs[0].b.record, 3U);
  EXPECT_FALSE(pairs[0].rows.empty()) << "the texts are read again";
}

}  // namespace
}  // namespace twinset

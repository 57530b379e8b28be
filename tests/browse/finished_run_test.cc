#include "browse/finished_run.h"

#include "support_runs/cluster_testing.h"
#include "support_runs/small_run.h"
#include "twinset/spans.h"

namespace twinset {
namespace {

using namespace twinset::testing;

const Fact* fact_of(const FinishedRun& run, const std::string& name) {
  for (const Fact& fact : run.numbers) {
    if (fact.name == name) return &fact;
  }
  return nullptr;
}

TEST(FinishedRun, HasTheNumbersOfItsSummary) {
  SmallRun small;
  small.run();
  const Result<FinishedRun> run = read_finished_run(unsynced(), small.options.output + "/");
  ASSERT_TRUE(run.ok()) << run.error().message;
  EXPECT_EQ(run.value().verb, "dedup");
  EXPECT_EQ(run.value().title, "Near-duplicates");
  const Section totals = totals_of(run.value());
  EXPECT_EQ(totals.numbers[0].value.number, small.summary.total.read);
  EXPECT_EQ(totals.numbers[2].value.number, 3U);
  EXPECT_EQ(totals.numbers[3].value.number, 1U);
  std::uint64_t parts = 0;
  for (const Part& part : totals.parts) parts += part.count;
  EXPECT_EQ(parts, small.summary.total.read);
  const std::optional<Section> files = files_of_run(run.value());
  ASSERT_TRUE(files.has_value());
  EXPECT_EQ(files->tables[0].rows.size(), 1U);
  EXPECT_EQ(section_of_run(run.value()).numbers[0].value.string, "dedup");
}

TEST(FinishedRun, OfOtherVerbs) {
  const ScratchFolder folder;
  SpansOptions options;
  options.inputs = {folder.write("a.jsonl",
                                 "{\"id\":1,\"text\":\"one two three four five six\"}\n"
                                 "{\"id\":2,\"text\":\"so one two three four five six\"}\n")};
  options.min_tokens = 5;
  options.output = folder / "spans";
  ASSERT_TRUE(spans(options, quiet_control()).ok());
  const FinishedRun found = read_finished_run(unsynced(), options.output).value();
  EXPECT_EQ(found.title, "Shared passages");
  ASSERT_NE(fact_of(found, "spans"), nullptr);
  EXPECT_EQ(fact_of(found, "spans")->value.number, 1U);
  EXPECT_FALSE(files_of_run(found).has_value());
}

TEST(FinishedRun, SaysWhatItCannotRead) {
  const ScratchFolder folder;
  const auto missing = read_finished_run(unsynced(), folder / "none");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::usage);
  folder.write("odd/summary.json", "{\"verb\": \"evaluate\", \"twinset\": \"1\"}\n");
  EXPECT_FALSE(read_finished_run(unsynced(), folder / "odd").ok());
  folder.write("bad/summary.json", "{\"verb\": \"dedup\"");
  const auto damaged = read_finished_run(unsynced(), folder / "bad");
  ASSERT_FALSE(damaged.ok());
  EXPECT_EQ(damaged.error().code, ErrorCode::io);
}

}  // namespace
}  // namespace twinset

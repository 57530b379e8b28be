#include "dedup/dedup_options.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace twinset {
namespace {

class NoRecords final : public RecordSink {
 public:
  Status write(std::string_view) override { return {}; }
};

TEST(DedupOptions, KeepTheLongestWhereContainmentIsAsked) {
  DedupOptions options;
  EXPECT_EQ(keep_rule_of(options), "first");
  options.containment = Ratio(9, 10);
  EXPECT_EQ(keep_rule_of(options), "longest");
  options.keep = "source";
  EXPECT_EQ(keep_rule_of(options), "source");
}

// A run that a limit stopped continues when the limit is raised.
TEST(DedupOptions, LimitsAreNoPartOfTheIdentity) {
  DedupOptions options;
  options.inputs = {"in.jsonl"};
  const std::string identity = dedup_verb(options).identity;
  options.max_bad = 3;
  options.max_removed = Ratio(1, 2);
  EXPECT_EQ(dedup_verb(options).identity, identity);
  options.min_tokens = 1;
  EXPECT_NE(dedup_verb(options).identity, identity);
}

TEST(DedupOptions, OwnNamesAreThoseOfTheFilesWritten) {
  DedupOptions options;
  EXPECT_TRUE(dedup_verb(options).writes_records);
  const std::size_t names = dedup_verb(options).own_names.size();
  options.write_removed = true;
  EXPECT_EQ(dedup_verb(options).own_names.size(), names + 1);
  options.emit = Emit::ids;
  EXPECT_FALSE(dedup_verb(options).writes_records);
  EXPECT_EQ(deciding_verb(options).works_in, WorksIn::own);
}

TEST(DedupOptions, FilesGoWhereTheirRecordsGo) {
  DedupOptions options;
  options.output = "out";
  EXPECT_TRUE(check_destination(options, RunControl{}).ok());
  options.summary = "s.json";
  EXPECT_FALSE(check_destination(options, RunControl{}).ok());
  options.output.clear();
  NoRecords sink;
  RunControl streamed;
  streamed.kept = &sink;
  EXPECT_TRUE(check_destination(options, streamed).ok());
  options.removed = "removed.txt";
  EXPECT_FALSE(check_destination(options, streamed).ok());
  options.removed = "removed.jsonl";
  EXPECT_TRUE(check_destination(options, streamed).ok());
  EXPECT_EQ(options.summary, "s.json");
  // Two options never make one file: the run sees to that, before it looks for an input.
  options.inputs = {"there-is-none.jsonl"};
  for (const char* report : {"s.json", "s.html"}) {
    options.report = report;
    const Result<DedupSummary> refused = dedup(options, streamed);
    ASSERT_FALSE(refused.ok()) << report;
    EXPECT_EQ(refused.error().text(Door::command_line),
              "--summary and --report would both make s.json; choose another name");
  }
}

}  // namespace
}  // namespace twinset

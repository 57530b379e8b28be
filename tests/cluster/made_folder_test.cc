// A folder that is there whole, or not at all.
#include "cluster/made_folder.h"

#include <gtest/gtest.h>

#include "support/scratch_folder.h"
#include "support_runs/job_testing.h"

namespace twinset::testing {
namespace {

struct Made {
  ScratchFolder scratch;
  RunContext context = context_of(quiet_control());
  ClusterSummary summary;
  std::string output = scratch / "out";

  Status make(const std::string& name, const Status& done) {
    TWINSET_ASSIGN(const auto folder, MadeFolder::open(context, {name, {}, "cluster", "id", "c"}));
    put_file(folder->workspace().out() + "/some.jsonl", "{}\n", Compression::none);
    return folder->end(done, summary, {});
  }
};

TEST(MadeFolder, HasItsNameAndASummaryAtTheEnd) {
  Made made;
  ASSERT_TRUE(made.make(made.output, {}).ok());
  EXPECT_EQ(get_file(made.output + "/summary.json"), made.summary.json);
  ASSERT_EQ(made.summary.outputs.size(), 1U);
  EXPECT_EQ(made.summary.outputs[0].name, "some.jsonl");
  EXPECT_FALSE(std::filesystem::exists(made.output + ".partial"));
  const Status again = made.make(made.output, {});
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code, ErrorCode::usage);
}

TEST(MadeFolder, LeavesNothingOfWorkThatFailed) {
  Made made;
  const Status failed = made.make(made.output, io_error("the work failed"));
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().message, "the work failed");
  EXPECT_FALSE(std::filesystem::exists(made.output));
  EXPECT_FALSE(std::filesystem::exists(made.output + ".partial"));
}

TEST(MadeFolder, WithoutAnOutputTheSummaryIsAll) {
  Made made;
  ASSERT_TRUE(made.make("", {}).ok());
  EXPECT_FALSE(made.summary.json.empty());
  EXPECT_TRUE(made.summary.outputs.empty());
}

}  // namespace
}  // namespace twinset::testing

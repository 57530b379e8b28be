#include "job/read_pass.h"

#include "job/job_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(ReadPass, CountsBlankLinesAsNoRecords) {
  const ScratchFolder folder;
  DedupOptions options;
  options.inputs = {folder.write("a.jsonl", "\n{\"text\":\"one\"}\r\n  \n\n{\"text\":\"two\"}")};
  options.output = folder / "out";
  set_small_memory(options, 2, 1 << 20);
  const Result<DedupSummary> done = dedup(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().total.read, 2U);
  EXPECT_EQ(folder.read("out/a.jsonl"), "{\"text\":\"one\"}\r\n{\"text\":\"two\"}");
}

TEST(ReadPass, StopsAtTheLimitAcrossFiles) {
  const Collection collection = planted_collection({.seed = 3, .documents = 90, .files = 3});
  const ScratchFolder folder;
  DedupOptions options = collection.write(folder);
  options.input.limit = collection.files[0].records.size() + 2;
  const Result<DedupSummary> done = dedup(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().total.read, options.input.limit);
  EXPECT_EQ(done.value().files[1].counts.read, 2U);
  EXPECT_EQ(done.value().files[2].counts.read, 0U);
}

TEST(ReadPass, EndsAtTooManyBadRecords) {
  const ScratchFolder folder;
  DedupOptions options;
  options.inputs = {folder.write("a.jsonl", "{\n{\n{\n{\"text\":\"one\"}\n")};
  options.output = folder / "out";
  set_small_memory(options, 1, 1 << 20);
  options.max_bad = 2;
  EXPECT_EQ(dedup(options, quiet_control()).error().code, ErrorCode::bad_records);
}

}  // namespace
}  // namespace twinset

#include "run/input_feed.h"

#include "support_runs/job_fixture.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(InputFeed, GivesEveryByteOfTheInputsInOrder) {
  const MadeCollection made = planted_collection(
      {.seed = 3, .documents = 200, .files = 4, .references = 1, .compressed = true});
  JobFixture fixture(made);
  fixture.read();
  InputFeed feed(fixture.job(), fixture.state());
  std::vector<std::string> read;
  InputBatch batch;
  bool ended = true;
  for (;;) {
    const Result<bool> more = feed.next(batch);
    ASSERT_TRUE(more.ok()) << more.error().message;
    if (!more.value()) break;
    EXPECT_EQ(batch.begins_source, ended);
    if (batch.begins_source) read.emplace_back();
    EXPECT_EQ(batch.source, read.size());  // Source 0 is the reference.
    for (const Record& record : batch.batch.records) read.back() += record.raw;
    ended = batch.ends_source;
  }
  ASSERT_EQ(read.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(read[i], made.files[i + 1].bytes());
}

TEST(InputFeed, TellsThatAnInputHasChanged) {
  MadeCollection made = planted_collection({.seed = 4, .documents = 50, .files = 1});
  JobFixture fixture(made);
  fixture.read();
  std::string bytes = made.files[0].bytes();
  bytes[bytes.size() / 2] = bytes[bytes.size() / 2] == 'x' ? 'y' : 'x';
  fixture.folder().write("in/part-0.jsonl", bytes);
  InputFeed feed(fixture.job(), fixture.state());
  InputBatch batch;
  Result<bool> more = true;
  while (more.ok() && more.value()) more = feed.next(batch);
  ASSERT_FALSE(more.ok());
  EXPECT_TRUE(more.error().input_changed);
}

}  // namespace
}  // namespace twinset

#include "collection/one_record.h"

#include "support/small_run.h"

namespace twinset {
namespace {

TEST(OneRecord, IsReadByItsLine) {
  const testing::SmallRun small;
  Input input;
  input.path = input.shown = small.input;
  input.format = "jsonl";
  const Result<OneRecord> fourth = read_one_record(disk(), input, {}, {}, 4);
  ASSERT_TRUE(fourth.ok()) << fourth.error().message;
  EXPECT_TRUE(fourth.value().text.ends_with("that week"));
  for (const std::uint64_t none : {5U, 7U, 0U}) {
    EXPECT_EQ(read_one_record(disk(), input, {}, {}, none).error().code, ErrorCode::usage);
  }
}

}  // namespace
}  // namespace twinset

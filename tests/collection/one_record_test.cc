#include "collection/one_record.h"

#include "support_runs/small_run.h"

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

TEST(OneRecord, OfAnArgumentIsAFileOrARecordOfOne) {
  const testing::ScratchFolder folder;
  const std::string lines = folder.write("in.jsonl", "{\"text\": \"one\"}\n{\"text\": \"two\"}\n");
  const std::string text = folder.write("in.txt:2", "a text");
  const auto read = [](const std::string& argument) {
    return read_document(disk(), argument, {}, false);
  };
  EXPECT_EQ(read(lines + ":2").value().text, "two");
  EXPECT_EQ(read(lines + ":2").value().path, lines);
  // A file of that name is that file.
  EXPECT_EQ(read(text).value().text, "a text");
  EXPECT_NE(read(lines).error().message.find("say which"), std::string::npos);
  EXPECT_EQ(read(lines + ":3").error().code, ErrorCode::usage);
  EXPECT_FALSE(read(folder / "none.txt").ok());
  EXPECT_NE(read(folder.path()).error().message.find("not one file"), std::string::npos);
}

}  // namespace
}  // namespace twinset

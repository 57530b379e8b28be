#include "support/small_run.h"
#include "twinset/pair.h"

namespace twinset {
namespace {

using testing::ScratchFolder;
using testing::SmallRun;

TEST(Compare, CountsShinglesOfTextFilesExactly) {
  const ScratchFolder folder;
  CompareOptions options;
  options.a = folder.write("a.txt", "one two three four five six seven");   // 3 shingles of 5
  options.b = folder.write("b.txt", "ONE two, three four five six eight");  // 2 of them, 1 more
  options.answer.json = true;
  const Result<std::string> answer = compare(options);
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_NE(answer.value().find("\"resemblance\": 0.5"), std::string::npos) << answer.value();
  EXPECT_NE(answer.value().find("\"shared_shingles\": 2"), std::string::npos) << answer.value();
  EXPECT_NE(answer.value().find("\"identical\": false"), std::string::npos) << answer.value();
}

TEST(Compare, TakesRecordsByNumber) {
  SmallRun small;
  CompareOptions options;
  options.a = small.input + ":1";
  options.b = small.input + ":2";
  options.answer.json = true;
  const Result<std::string> answer = compare(options);
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_NE(answer.value().find("\"identical\": true"), std::string::npos) << answer.value();
}

// What dedup folds as identical has a resemblance of 1 here too, words or none.
TEST(Compare, AgreesWithDedupOnTextsWithoutWords) {
  const ScratchFolder folder;
  const std::string input =
      folder.write("in.jsonl",
                   "{\"text\":\"... !\"}\n{\"text\":\"... !\"}\n{\"text\":\"... ?\"}\n"
                   "{\"text\":\"\"}\n{\"text\":\"\"}\n");
  DedupOptions options;
  options.inputs = {input};
  options.output = folder / "out";
  options.input.max_record_bytes = 1 << 20;
  const Result<DedupSummary> done = dedup(options, RunControl{});
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().total.identical, 2U);
  EXPECT_EQ(done.value().total.kept, 3U);
  const auto resemblance = [&](const char* a, const char* b) {
    CompareOptions compared;
    compared.a = input + a;
    compared.b = input + b;
    compared.answer.json = true;
    const Result<std::string> answer = compare(compared);
    EXPECT_TRUE(answer.ok()) << answer.error().message;
    return answer.value().find("\"resemblance\": 1,") != std::string::npos;
  };
  EXPECT_TRUE(resemblance(":1", ":2"));
  EXPECT_TRUE(resemblance(":4", ":5"));
  EXPECT_FALSE(resemblance(":1", ":3"));
  EXPECT_FALSE(resemblance(":1", ":4"));
}

TEST(Compare, SaysWhatItCannotCompare) {
  SmallRun small;
  for (const std::string& wrong : {small.input, small.input + ":99", small.input + ":5",
                                   small.folder / "missing.txt", small.folder.path()}) {
    CompareOptions options;
    options.a = wrong;
    options.b = small.input + ":1";
    EXPECT_FALSE(compare(options).ok()) << wrong;
  }
}

}  // namespace
}  // namespace twinset

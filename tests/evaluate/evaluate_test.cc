#include "twinset/evaluate.h"

#include "support/small_run.h"

namespace twinset {
namespace {

using testing::ScratchFolder;

EvaluateOptions small_evaluation(const ScratchFolder& folder, const std::string& lines) {
  EvaluateOptions options;
  options.inputs = {folder.write("in.jsonl", lines)};
  options.input.max_record_bytes = 1 << 20;
  options.resources.tmp = folder.path();
  options.json = true;
  return options;
}

TEST(Evaluate, MeasuresPlantedCopiesAndLeavesNothingBehind) {
  const ScratchFolder folder;
  std::string lines;
  for (int i = 0; i < 30; ++i) {
    lines += R"({"id":)" + std::to_string(i) + R"(,"text":")";
    for (int word = 0; word < 80; ++word) lines += "word" + std::to_string(i * 1000 + word) + " ";
    lines += "\"}\n";
  }
  const EvaluateOptions options = small_evaluation(folder, lines);
  const Result<std::string> report = evaluate(options, RunControl{});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_NE(report.value().find("replace-1"), std::string::npos) << report.value();
  const Result<std::string> again = evaluate(options, RunControl{});
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again.value(), report.value());
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    EXPECT_EQ(entry.path().filename(), "in.jsonl");
  }
}

TEST(Evaluate, NeedsADocumentWithATokenAndAScheme) {
  const ScratchFolder folder;
  EvaluateOptions options = small_evaluation(folder, "{\"text\":\"...\"}\n");
  EXPECT_EQ(evaluate(options, RunControl{}).error().code, ErrorCode::usage);
  options.scheme = "fsss";
  EXPECT_EQ(evaluate(options, RunControl{}).error().code, ErrorCode::usage);
}

}  // namespace
}  // namespace twinset

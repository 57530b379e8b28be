// The lines of a small collection, read as a user would. Whole runs are in spans_test.cc.
#include "spans/span_lines.h"

#include "support_runs/job_testing.h"
#include "twinset/spans.h"

namespace twinset {
namespace {

using namespace twinset::testing;

std::string lines_of(const std::vector<std::string>& texts, bool all_pairs) {
  const ScratchFolder folder;
  std::string all;
  for (const std::string& text : texts) all += MadeRecord{"", text, ""}.line();
  const std::filesystem::path before = std::filesystem::current_path();
  folder.write("in.jsonl", all);
  std::filesystem::current_path(folder.path());
  SpansOptions options;
  options.inputs = {"in.jsonl"};
  options.output = "out";
  options.min_tokens = 4;
  options.all_pairs = all_pairs;
  EXPECT_TRUE(spans(options, quiet_control()).ok());
  std::string lines = get_file("out/spans.jsonl.zst");
  std::filesystem::current_path(before);
  return lines;
}

TEST(SpanLines, NameBothPlacesAndTheKind) {
  EXPECT_EQ(
      lines_of({"a b c d e f", "x a b c d y", "a b c d e f z"}, false),
      R"({"a": {"id": "in.jsonl:1", "file": "in.jsonl", "record": 1, "begin": 0, "end": 7}, )"
      R"("b": {"id": "in.jsonl:2", "file": "in.jsonl", "record": 2, "begin": 2, "end": 9}, )"
      R"("tokens": 4, "place": "both"})"
      "\n"
      R"({"a": {"id": "in.jsonl:1", "file": "in.jsonl", "record": 1, "begin": 0, "end": 11}, )"
      R"("b": {"id": "in.jsonl:3", "file": "in.jsonl", "record": 3, "begin": 0, "end": 11}, )"
      R"("tokens": 6, "place": "both"})"
      "\n"
      R"({"a": {"id": "in.jsonl:2", "file": "in.jsonl", "record": 2, "begin": 2, "end": 9}, )"
      R"("b": {"id": "in.jsonl:3", "file": "in.jsonl", "record": 3, "begin": 0, "end": 7}, )"
      R"("tokens": 4, "place": "nearest"})"
      "\n");
}

TEST(SpanLines, OfEveryTwoPlacesHaveNoKind) {
  EXPECT_EQ(lines_of({"a b c d", "a b c d a b c d"}, true),
            R"({"a": {"id": "in.jsonl:1", "file": "in.jsonl", "record": 1, "begin": 0, "end": 7}, )"
            R"("b": {"id": "in.jsonl:2", "file": "in.jsonl", "record": 2, "begin": 0, "end": 7}, )"
            R"("tokens": 4})"
            "\n"
            R"({"a": {"id": "in.jsonl:1", "file": "in.jsonl", "record": 1, "begin": 0, "end": 7}, )"
            R"("b": {"id": "in.jsonl:2", "file": "in.jsonl", "record": 2, "begin": 8, "end": 15}, )"
            R"("tokens": 4})"
            "\n"
            R"({"a": {"id": "in.jsonl:2", "file": "in.jsonl", "record": 2, "begin": 0, "end": 7}, )"
            R"("b": {"id": "in.jsonl:2", "file": "in.jsonl", "record": 2, "begin": 8, "end": 15}, )"
            R"("tokens": 4})"
            "\n");
}

}  // namespace
}  // namespace twinset

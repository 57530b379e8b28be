// The lines of a small collection, read as a user would. Whole runs are in spans_test.cc.
#include "spans/span_lines.h"

#include <array>

#include "support/counting_files.h"
#include "support/field_check.h"
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

/// A text that is long for the memory is not read again for each text that quotes it.
TEST(SpanLines, OfOneLongTextTakeFewReadings) {
  const ScratchFolder folder;
  std::vector<std::string> words(1'000'000);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = "w" + std::to_string(i) + " ";
  const auto text_of = [&](std::size_t begin, std::size_t end) {
    std::string text;
    for (std::size_t i = begin; i < end; ++i) text += words[i];
    return MadeRecord{"", text, ""}.line();
  };
  std::string all = text_of(0, words.size());
  constexpr std::size_t quotes = 40;
  for (std::size_t i = 0; i < quotes; ++i) all += text_of(i * 20'000, i * 20'000 + 100);
  SpansOptions options;
  options.inputs = {folder.write("in.jsonl", all)};
  options.output = folder / "out";
  options.resources.threads = 2;
  options.resources.memory = std::uint64_t{512} << 20;
  CountingFiles files(unsynced());
  RunControl control = quiet_control();
  control.files = &files;
  const Result<SpansSummary> summary = spans(options, control);
  ASSERT_TRUE(summary.ok()) << summary.error().message;
  EXPECT_EQ(summary.value().spans, quotes);
  EXPECT_LT(files.bytes(), 8 * all.size());
}

/// The error of a line of which `from` is replaced; empty: it is read.
std::string refusal(const std::string& from, const std::string& by) {
  FieldLine<SpanLine> line;
  *line = {{{"7", "a", 1, 0}, 2, 9}, {{"8", "b", 2, 0}, 3, 10}, 4, SpanLine::Place::nearest};
  std::string text = expect_line_both_ways(line);
  EXPECT_NE(text.find(from), std::string::npos) << from;
  const Status read = line.read(text.replace(text.find(from), from.size(), by), "spans:7");
  if (read.ok()) return "";
  EXPECT_TRUE(read.error().message.starts_with("spans:7 is damaged, or of another version: byte "));
  return read.error().message;
}

TEST(SpanLines, AreReadAsDeclared) {
  EXPECT_EQ(refusal(", \"place\": \"nearest\"", ""), "");
  EXPECT_EQ(refusal("\"tokens\"", "\"later\": [1], \"tokens\""), "");
  for (const auto& [from, by, said] : std::vector<std::array<std::string, 3>>{
           {"\"tokens\": 4, ", "", "tokens is missing"},
           {"\"end\": 9", "\"end\": 9, \"end\": 9", "a.end is given twice"},
           {"\"end\": 10", "\"end\": 2", "b does not hold: begin <= end"},
           {"\"record\": 2, ", "", "b.record is missing"},
           {"\"begin\": 3", "\"begin\": \"3\"", "b.begin is not a whole number"},
           {"\"begin\": 3", "\"begin\": -3", "b.begin is not a whole number"},
           {"\"nearest\"", "\"last\"", "place is not a known word"}}) {
    EXPECT_NE(refusal(from, by).find(": " + said), std::string::npos) << refusal(from, by);
  }
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

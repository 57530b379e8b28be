#include <gtest/gtest.h>

#include "io/json_read.h"
#include "support/scratch_folder.h"
#include "twinset/spans.h"

namespace twinset {
namespace {

using testing::ScratchFolder;

const std::string text_a = "alpha beta gamma delta epsilon zeta. Something else here.";
const std::string text_b = "Before that: ALPHA beta, gamma delta; then gamma delta epsilon zeta!";

TEST(CompareSpans, AreByteRangesLongestFirst) {
  const ComparedSpans found = compare_spans(text_a, text_b, {.least_tokens = 3}).value();
  ASSERT_EQ(found.spans.size(), 2U);
  const auto quoted = [&](const TextSpan& span) {
    return text_a.substr(span.begin_a, span.end_a - span.begin_a) + "|" +
           text_b.substr(span.begin_b, span.end_b - span.begin_b);
  };
  EXPECT_EQ(quoted(found.spans[0]), "alpha beta gamma delta|ALPHA beta, gamma delta");
  EXPECT_EQ(quoted(found.spans[1]), "gamma delta epsilon zeta|gamma delta epsilon zeta");
  EXPECT_EQ(found.shared_tokens_a, 6U);
  EXPECT_EQ(found.shared_tokens_b, 8U);
  EXPECT_TRUE(found.all);
}

TEST(CompareSpans, OfPagesAreRangesOfTheRawPage) {
  const std::string a = "<p>one <i>two</i> three</p>";
  const std::string b = "<div>zero one two<br>three</div>";
  const ComparedSpans found = compare_spans(a, b, {.least_tokens = 3, .html = true}).value();
  ASSERT_EQ(found.spans.size(), 1U);
  EXPECT_EQ(a.substr(found.spans[0].begin_a, found.spans[0].end_a - found.spans[0].begin_a),
            "one <i>two</i> three");
  EXPECT_EQ(b.substr(found.spans[0].begin_b, found.spans[0].end_b - found.spans[0].begin_b),
            "one two<br>three");
  // Printed without its tags.
  EXPECT_NE(to_text(found).find("one two three"), std::string::npos) << to_text(found);
}

TEST(CompareSpans, JsonHasEverySpan) {
  const ComparedSpans found = compare_spans(text_a, text_b, {.least_tokens = 3}).value();
  const std::string json = to_json(found);
  const JsonNode read = read_json(json, "spans").value();
  EXPECT_EQ(read["min_tokens"].integer(), 3U);
  EXPECT_EQ(read["shared_tokens_b"].integer(), 8U);
  EXPECT_EQ(read["spans"].raw(),
            "[{\"a\": [0, 22], \"b\": [13, 36], \"tokens\": 4}, "
            "{\"a\": [11, 35], \"b\": [43, 67], \"tokens\": 4}]");
}

TEST(CompareSpans, TextsAreFilesOrRecords) {
  const ScratchFolder folder;
  SpansOptions options;
  options.min_tokens = 3;
  options.inputs = {
      folder.write("a.txt", text_a),
      folder.write("b.jsonl", "{\"text\": \"\"}\n{\"text\": \"" + text_b + "\"}\n") + ":2"};
  const Result<ComparedSpans> found = compare_spans(options, RunControl{});
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found.value().spans.size(), 2U);
  EXPECT_EQ(found.value().name_b, options.inputs[1]);
  options.cut = true;
  EXPECT_NE(compare_spans(options, RunControl{})
                .error()
                .text(Door::command_line)
                .find("--cut needs a folder"),
            std::string::npos);
  options.cut = false;
  options.inputs.pop_back();
  EXPECT_NE(compare_spans(options, RunControl{}).error().message.find("two texts; 1 was given"),
            std::string::npos);
}

TEST(CompareSpans, RefuseWrongRules) {
  for (const std::uint64_t least : {0U, 10'001U}) {
    EXPECT_EQ(compare_spans("a", "b", {.least_tokens = least}).error().code, ErrorCode::usage);
  }
  EXPECT_EQ(compare_spans("a", "b", {.analyzer = "none"}).error().code, ErrorCode::usage);
  EXPECT_EQ(compare_spans("[1]", "[1]", {.analyzer = "features", .html = true}).error().code,
            ErrorCode::usage);
}

// A control character in a text never reaches a terminal.
TEST(CompareSpans, TextsPrintHarmlessly) {
  const std::string evil = "one two \x1b[31m three four";
  const ComparedSpans found = compare_spans(evil, evil, {.least_tokens = 2}).value();
  EXPECT_EQ(to_text(found).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace twinset

#include <gtest/gtest.h>

#include "twinset/spans.h"

namespace twinset {
namespace {

ComparedSpans two_texts() {
  const Result<ComparedSpans> found = compare_spans("a \x1b[31m one two three four",
                                                    "one two three four five", {.least_tokens = 4});
  EXPECT_TRUE(found.ok()) << found.error().message;
  return found.value();
}

TEST(SpansText, EachSpanHasItsPlacesAndItsWords) {
  const std::string text = to_text(two_texts());
  EXPECT_NE(text.find("1 span of 4 words or more\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n4 words  A 8-26  B 0-18\n  one two three four\n"), std::string::npos)
      << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(SpansText, ColorsAndWordsAreLeftOutIfAsked) {
  EXPECT_NE(to_text(two_texts(), {.color = true}).find("\x1b[1m4 words\x1b[0m"), std::string::npos);
  EXPECT_EQ(to_text(two_texts(), {.numbers = true}).find("one two"), std::string::npos);
}

TEST(SpansText, ARunHasItsSpansAndReusedWords) {
  SpansSummary summary;
  summary.read = summary.documents = 4;
  summary.spans = 1;
  summary.least_tokens = 50;
  summary.tokens = 300;
  summary.reused_tokens = 100;
  summary.reused_documents = 1;
  summary.cut_bytes = 700;
  SpansOptions options;
  options.output = "once";
  const std::string counts =
      "             4  records read\n"
      "             1  span of 50 words or more\n"
      "           100  words stand at an earlier place, 33.3 % of 300\n"
      "             1  documents have such words, 25.0 % of 4\n";
  EXPECT_EQ(to_text(summary, options), counts);
  options.cut = true;
  const std::string with_cut =
      counts + "           700  bytes are cut; the copies are in once/cut\n";
  EXPECT_EQ(to_text(summary, options), with_cut);
  EXPECT_TRUE(to_text(summary, options, true).starts_with(with_cut + "\n0.00 s, "));
}

}  // namespace
}  // namespace twinset

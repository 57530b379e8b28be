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

}  // namespace
}  // namespace twinset

#include "text/words_reference.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "text/text_samples.h"
#include "text/token_hash.h"

namespace twinset {
namespace {

/// A token as it should be: its folded bytes and the bytes it covers.
struct Expected {
  std::string folded;
  std::string covered;
};

void expect_tokens(const std::string& text, const std::vector<Expected>& expected,
                   std::uint64_t replaced = 0) {
  SCOPED_TRACE(testing::PrintToString(text));
  Analysis analysis;
  words_reference(text, Offsets::keep, analysis);
  EXPECT_EQ(analysis.replaced, replaced);
  ASSERT_EQ(analysis.tokens.size(), expected.size());
  ASSERT_EQ(analysis.offsets.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const TokenOffsets offsets = analysis.offsets[i];
    EXPECT_EQ(text.substr(offsets.begin, offsets.end - offsets.begin), expected[i].covered) << i;
    EXPECT_EQ(analysis.tokens[i], token_hash(expected[i].folded)) << i;
    EXPECT_EQ(analysis.tokens[i], folded_token_hash(expected[i].covered)) << i;
    if (i > 0) {
      EXPECT_LE(analysis.offsets[i - 1].end, offsets.begin);
    }
  }
}

TEST(WordsReference, EnglishAndNumbers) {
  expect_tokens("", {});
  expect_tokens(" \t\n.,-_", {});
  expect_tokens("A rose is a ROSE.",
                {{"a", "A"}, {"rose", "rose"}, {"is", "is"}, {"a", "a"}, {"rose", "ROSE"}});
  expect_tokens("don't re-use_x86 3.14", {{"don", "don"},
                                          {"t", "t"},
                                          {"re", "re"},
                                          {"use", "use"},
                                          {"x86", "x86"},
                                          {"3", "3"},
                                          {"14", "14"}});
  expect_tokens(std::string("a\0b", 3), {{"a", "a"}, {"b", "b"}});
}

TEST(WordsReference, OtherScripts) {
  const std::string zhe = utf8_of({0x416, 0x443, 0x43A});
  expect_tokens(zhe + "!", {{utf8_of({0x436, 0x443, 0x43A}), zhe}});
  const std::string thai = utf8_of({0xE01, 0xE33, 0xE25, 0xE31, 0xE07});
  expect_tokens("a " + thai, {{"a", "a"}, {thai, thai}});
  const std::string accented = "e" + utf8_of(0x301);
  expect_tokens("E" + utf8_of(0x301), {{accented, "E" + utf8_of(0x301)}});
}

TEST(WordsReference, IdeographsAreTokensAlone) {
  const std::string han = utf8_of(0x6F22), zi = utf8_of(0x5B57), kana = utf8_of({0x306E, 0x306B});
  expect_tokens(han + zi, {{han, han}, {zi, zi}});
  expect_tokens("a" + han + "b" + kana + zi,
                {{"a", "a"}, {han, han}, {"b" + kana, "b" + kana}, {zi, zi}});
}

TEST(WordsReference, IgnorablesAreDroppedFromWords) {
  const std::string shy = utf8_of(0xAD), joiner = utf8_of(0x200D), space = utf8_of(0x200B);
  expect_tokens("co" + shy + "operate", {{"cooperate", "co" + shy + "operate"}});
  expect_tokens(shy + "a" + joiner + " b", {{"a", "a" + joiner}, {"b", "b"}});
  expect_tokens("a" + space + "b", {{"a", "a"}, {"b", "b"}});
  expect_tokens(joiner + shy, {});
  const std::string han = utf8_of(0x6F22), selector = utf8_of(0xFE00);
  expect_tokens(han + selector + "b", {{han, han}, {"b", "b"}});
}

TEST(WordsReference, FoldingMayChangeTheLength) {
  expect_tokens(utf8_of({0x212A, 0x17F}), {{"ks", utf8_of({0x212A, 0x17F})}});
  expect_tokens("x" + utf8_of(0x23A), {{"x" + utf8_of(0x2C65), "x" + utf8_of(0x23A)}});
}

TEST(WordsReference, InvalidBytesAreCountedAndSeparate) {
  expect_tokens("a\xFFq", {{"a", "a"}, {"q", "q"}}, 1);
  expect_tokens("a\xE2\x82q\xE2\x82", {{"a", "a"}, {"q", "q"}}, 2);
  expect_tokens("a\xED\xA0\x80q", {{"a", "a"}, {"q", "q"}}, 3);
  expect_tokens("a" + utf8_of(0xFFFD) + "q", {{"a", "a"}, {"q", "q"}}, 0);
}

TEST(WordsReference, ReplacesWhatWasThereAndKeepsOffsetsOnlyIfAsked) {
  Analysis analysis;
  words_reference("one two\xFF three", Offsets::keep, analysis);
  words_reference("one two", Offsets::drop, analysis);
  EXPECT_EQ(analysis.tokens.size(), 2u);
  EXPECT_TRUE(analysis.offsets.empty());
  EXPECT_EQ(analysis.replaced, 0u);
}

}  // namespace
}  // namespace twinset

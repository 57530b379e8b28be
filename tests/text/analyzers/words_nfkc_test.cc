// The analyzer `words_nfkc`: the promises of `words`, and that all forms of a character are one.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "text/analyzer.h"
#include "text/text_samples.h"
#include "text/unicode_judge.h"

namespace twinset {
namespace {

Analysis analyzed(std::string_view text, std::string_view analyzer = "words_nfkc") {
  Analysis analysis;
  find_analyzer(analyzer)->analyze(text, Offsets::keep, analysis);
  return analysis;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (const TokenOffsets token : analyzed(text).offsets) {
    find_analyzer("words_nfkc")->append_token(text, token, words.emplace_back());
  }
  return words;
}

TEST(WordsNfkc, IsNamedAndVersioned) {
  const Analyzer* words = find_analyzer("words_nfkc");
  ASSERT_NE(words, nullptr);
  EXPECT_EQ(words->name(), "words_nfkc");
  EXPECT_EQ(words->version(), 2u);
}

TEST(WordsNfkc, SeesThroughTheGuisesOfACharacter) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(words_of(utf8_of({0xFF21, 0xFF22, 0xFF11})), (Words{"ab1"})) << "full width";
  EXPECT_EQ(words_of("o" + utf8_of(0xFB03) + "ce"), (Words{"office"})) << "a ligature";
  EXPECT_EQ(words_of("m" + utf8_of(0xB2)), (Words{"m2"})) << "a superscript";
  EXPECT_EQ(words_of(utf8_of({0xFF76, 0xFF9E, 0xFF71})), (Words{utf8_of({0x30AC, 0x30A2})}))
      << "half-width katakana with a voicing mark";
  EXPECT_EQ(words_of("a" + utf8_of(0xFF0C) + "b" + utf8_of(0xA0) + "c"), (Words{"a", "b", "c"}));
  EXPECT_EQ(words_of("12 " + utf8_of(0x338F)), (Words{"12", "kg"}));
  EXPECT_EQ(words_of("plain"), (Words{"plain"}));
}

TEST(WordsNfkc, RangesAreThoseOfTheCharactersAsTheyStand) {
  const std::string text = "x a" + utf8_of(0xFB01) + "B " + utf8_of(0xBD) + " z";
  const Analysis analysis = analyzed(text);
  EXPECT_EQ(analysis.offsets,
            (std::vector<TokenOffsets>{{0, 1}, {2, 7}, {8, 10}, {8, 10}, {11, 12}}));
  EXPECT_EQ(analysis.tokens, analyzed("x afib 1 2 z").tokens);
  Analysis dropped;
  find_analyzer("words_nfkc")->analyze(text, Offsets::drop, dropped);
  EXPECT_EQ(dropped.tokens, analysis.tokens);
  EXPECT_TRUE(dropped.offsets.empty());
}

TEST(WordsNfkc, EveryCodePointMatchesItsFormsInAText) {
  std::string text;
  for (std::uint32_t code_point = 1; code_point < 0x110000; ++code_point) {
    if (!judge::is_assigned(code_point) && code_point != 0x10FFFF) continue;
    text += "x" + utf8_of(code_point) + "y " + utf8_of(code_point) + "z\n";
    if (text.size() < 2000 && code_point != 0x10FFFF) continue;
    const std::vector<std::uint64_t> expected = analyzed(text).tokens;
    const std::string form = judge::compatibly_caseless(text);
    ASSERT_EQ(analyzed(judge::nfkc(text)).tokens, expected) << "up to " << std::hex << code_point;
    ASSERT_EQ(analyzed(form).tokens, expected) << "up to " << std::hex << code_point;
    ASSERT_EQ(analyzed(form, "words").tokens, expected) << "up to " << std::hex << code_point;
    text.clear();
  }
}

TEST(WordsNfkc, TakesAnyBytes) {
  Samples samples(21);
  for (int i = 0; i < 2000; ++i) {
    const std::string text = samples.mixed(samples.below(400));
    const Analysis analysis = analyzed(text);
    ASSERT_EQ(analysis.offsets.size(), analysis.tokens.size());
    TokenOffsets before;
    for (const TokenOffsets offsets : analysis.offsets) {
      ASSERT_TRUE(offsets.begin >= before.begin && offsets.end >= before.end);
      ASSERT_TRUE(offsets.end > offsets.begin && offsets.end <= text.size());
      before = offsets;
    }
  }
  EXPECT_EQ(analyzed("a\xFF" + utf8_of(0xFB01) + "\xC3").replaced, 2u);
}

}  // namespace
}  // namespace twinset

// The analyzer `words_dehyphenated`: the promises of `words`, and a word is one in two lines, too.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "text/analyzer.h"
#include "text/text_samples.h"

namespace twinset {
namespace {

using Words = std::vector<std::string>;

Analysis analyzed(std::string_view text, std::string_view analyzer = "words_dehyphenated") {
  Analysis analysis;
  find_analyzer(analyzer)->analyze(text, Offsets::keep, analysis);
  return analysis;
}

Words words_of(const std::string& text) {
  Words words;
  for (const TokenOffsets token : analyzed(text).offsets) {
    find_analyzer("words_dehyphenated")->append_token(text, token, words.emplace_back());
  }
  return words;
}

TEST(WordsDehyphenated, IsNamedAndVersioned) {
  const Analyzer* words = find_analyzer("words_dehyphenated");
  ASSERT_NE(words, nullptr);
  EXPECT_EQ(words->version(), 1u);
}

TEST(WordsDehyphenated, JoinsAWordThatALineEndCuts) {
  EXPECT_EQ(words_of("The har-\nbour"), (Words{"the", "harbour"}));
  EXPECT_EQ(words_of("the har-  \r\n\t bour."), (Words{"the", "harbour"})) << "space around it";
  EXPECT_EQ(words_of("a-\nb-\nc"), (Words{"abc"})) << "a word in three lines";
  for (const std::uint32_t hyphen : {0xADU, 0xACU, 0x2010U, 0x2E17U}) {
    EXPECT_EQ(words_of("har" + utf8_of(hyphen) + "\nbour"), (Words{"harbour"})) << hyphen;
  }
  const std::string long_s = utf8_of(0x17F);
  EXPECT_EQ(words_of("Wa" + long_s + "-\n" + long_s + "er"), (Words{"wasser"})) << "the long s";
  EXPECT_EQ(words_of("of-\n" + utf8_of(0xFB01) + "ce"), (Words{"office"})) << "a ligature";
  EXPECT_EQ(words_of("wei-\n" + utf8_of(0xDF) + "en"), (Words{"weissen"}));
  EXPECT_EQ(words_of(utf8_of({0x43F, 0x43E, '-', '\n', 0x440, 0x442})),
            (Words{utf8_of({0x43F, 0x43E, 0x440, 0x442})}));
  // No lexicon says which hyphens belong to the word.
  EXPECT_EQ(words_of("well-\nknown and well-known"), (Words{"wellknown", "and", "well", "known"}));
}

TEST(WordsDehyphenated, LeavesOtherHyphensAlone) {
  for (const char* text :
       {"Anglo-\nAmerican", "1914-\n18", "a -\nb", "a--\nb", "a-\n\nb", "a-b\nc", "a-\n", "-\nb",
        "a-\n-b", "a-\n\xFF", "\xFF-\nb", "", "\n", "a\nb", "a-\n1", "page 7-\nb"}) {
    EXPECT_EQ(analyzed(text).tokens, analyzed(text, "words").tokens) << text;
    EXPECT_EQ(analyzed(text).offsets, analyzed(text, "words").offsets) << text;
  }
}

TEST(WordsDehyphenated, RangesAreThoseOfTheTextAsItStands) {
  const std::string text = "x har-\nbour y \nz";
  EXPECT_EQ(analyzed(text).offsets,
            (std::vector<TokenOffsets>{{0, 1}, {2, 11}, {12, 13}, {15, 16}}));
  Analysis dropped;
  find_analyzer("words_dehyphenated")->analyze(text, Offsets::drop, dropped);
  EXPECT_EQ(dropped.tokens, analyzed("x harbour y z", "words").tokens);
  EXPECT_TRUE(dropped.offsets.empty());
}

TEST(WordsDehyphenated, TakesAnyBytes) {
  Samples samples(23);
  for (int i = 0; i < 2000; ++i) {
    std::string text = samples.mixed(samples.below(400));
    for (std::size_t at = samples.below(20); at < text.size(); at += 1 + samples.below(40)) {
      text.insert(at, samples.below(2) == 0 ? "-\n" : "a-\nb");
    }
    const Analysis analysis = analyzed(text);
    ASSERT_EQ(analysis.offsets.size(), analysis.tokens.size());
    TokenOffsets before;
    for (const TokenOffsets offsets : analysis.offsets) {
      ASSERT_TRUE(offsets.begin >= before.begin && offsets.end >= before.end);
      ASSERT_TRUE(offsets.end > offsets.begin && offsets.end <= text.size());
      before = offsets;
    }
  }
}

}  // namespace
}  // namespace twinset

#include "text/words_reference.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "text/canonical.h"
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
    EXPECT_EQ(analysis.tokens[i], canonical_hash(expected[i].covered, LetterCase::fold)) << i;
    if (i > 0) {
      EXPECT_LT(analysis.offsets[i - 1].begin, offsets.begin);
      EXPECT_LT(analysis.offsets[i - 1].end, offsets.end);
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

// As Lucene's standard tokenizer has them since version 8, but for the signs of writing.
TEST(WordsReference, Emoji) {
  const std::string up = utf8_of(0x1F44D), down = utf8_of(0x1F44E), dark = utf8_of(0x1F3FF);
  const std::string variation = utf8_of(0xFE0F), joiner = utf8_of(0x200D), cap = utf8_of(0x20E3);
  expect_tokens("ok" + up + down + "!", {{"ok", "ok"}, {up, up}, {down, down}});
  expect_tokens(up + dark + up, {{up + dark, up + dark}, {up, up}});
  expect_tokens(dark + " a", {{dark, dark}, {"a", "a"}});
  // Joined ones are one, and how a heart is to be drawn tells nothing.
  const std::string heart = utf8_of(0x2764), fire = utf8_of(0x1F525);
  expect_tokens(heart + variation + joiner + fire + heart,
                {{heart + fire, heart + variation + joiner + fire}, {heart, heart}});
  // Flags: two letters, or tags.
  const std::string d = utf8_of(0x1F1E9), e = utf8_of(0x1F1EA);
  expect_tokens(d + e + e + d + d, {{d + e, d + e}, {e + d, e + d}, {d, d}});
  const std::string england = utf8_of({0x1F3F4, 0xE0067, 0xE0062, 0xE0065, 0xE006E, 0xE0067});
  const std::string scotland = utf8_of({0x1F3F4, 0xE0067, 0xE0062, 0xE0073, 0xE0063, 0xE0074});
  expect_tokens(england + utf8_of(0xE007F) + scotland,
                {{england, england + utf8_of(0xE007F)}, {scotland, scotland}});
  // Keycaps.
  expect_tokens("a5" + variation + cap + "b#" + cap + "*" + variation + cap + "1" + cap,
                {{"a", "a"},
                 {"5" + cap, "5" + variation + cap},
                 {"b", "b"},
                 {"#" + cap, "#" + cap},
                 {"*" + cap, "*" + variation + cap},
                 {"1" + cap, "1" + cap}});
  // Signs are none.
  expect_tokens(utf8_of({0xA9, 0xAE, 0x2122, 0x3030, 0x2022, 0x2192, 0x20AC}) + "+<>", {});
  // Pictographs to come are.
  expect_tokens(utf8_of(0x1FAFF), {{utf8_of(0x1FAFF), utf8_of(0x1FAFF)}});
}

TEST(WordsReference, OtherScripts) {
  const std::string zhe = utf8_of({0x416, 0x443, 0x43A});
  expect_tokens(zhe + "!", {{utf8_of({0x436, 0x443, 0x43A}), zhe}});
  const std::string hangul = utf8_of({0xD55C, 0xAD6D, 0xC5B4});
  expect_tokens("a " + hangul, {{"a", "a"}, {hangul, hangul}});
}

TEST(WordsReference, BothWaysOfWritingALetterAreOne) {
  const std::string composed = utf8_of(0xE9);
  expect_tokens("E" + utf8_of(0x301), {{composed, "E" + utf8_of(0x301)}});
  expect_tokens(utf8_of(0xC9), {{composed, utf8_of(0xC9)}});
  const std::string jamo = utf8_of({0x1112, 0x1161, 0x11AB});
  expect_tokens(jamo, {{utf8_of(0xD55C), jamo}});
  const std::string ideograph = utf8_of(0xF900);  // folds to U+8C48
  expect_tokens(ideograph, {{utf8_of(0x8C48), ideograph}});
  expect_tokens("STRASSE Stra" + utf8_of(0xDF) + "e",
                {{"strasse", "STRASSE"}, {"strasse", "Stra" + utf8_of(0xDF) + "e"}});
}

TEST(WordsReference, AMarkWithoutALetterSeparates) {
  const std::string acute = utf8_of(0x301), han = utf8_of(0x6F22);
  expect_tokens(acute, {});
  expect_tokens(" " + acute + "a." + acute + "b", {{"a", "a"}, {"b", "b"}});
  // An acute accent by itself, and as a space with a mark.
  expect_tokens("a" + utf8_of(0x385) + "b", {{"a", "a"}, {"b", "b"}});
  expect_tokens("a" + utf8_of({0xA8, 0x301}) + "b", {{"a", "a"}, {"b", "b"}});
  expect_tokens("7" + utf8_of(0x20E3), {{"7" + utf8_of(0x20E3), "7" + utf8_of(0x20E3)}});
  expect_tokens(han + acute + "b", {{han + acute, han + acute}, {"b", "b"}});
  // U+0345 folds to a letter, and so begins a word.
  expect_tokens(" " + utf8_of(0x345), {{utf8_of(0x3B9), utf8_of(0x345)}});
}

TEST(WordsReference, IdeographsAreTokensAlone) {
  const std::string han = utf8_of(0x6F22), zi = utf8_of(0x5B57), kana = utf8_of({0x306E, 0x306B});
  expect_tokens(han + zi, {{han, han}, {zi, zi}});
  expect_tokens("a" + han + "b" + kana + zi,
                {{"a", "a"}, {han, han}, {"b", "b"}, {kana, kana}, {zi, zi}});
}

TEST(WordsReference, LettersWithoutSpacesGoInTwos) {
  const auto thai = [](std::initializer_list<std::uint32_t> letters) { return utf8_of(letters); };
  // kamlang: ko kai, sara am, lo ling with mai han-akat, ngo ngu: four units.
  const std::string word = thai({0xE01, 0xE33, 0xE25, 0xE31, 0xE07});
  const std::string first = thai({0xE01, 0xE33}), second = thai({0xE33, 0xE25, 0xE31}),
                    third = thai({0xE25, 0xE31, 0xE07});
  expect_tokens("a" + word + "b",
                {{"a", "a"}, {first, first}, {second, second}, {third, third}, {"b", "b"}});
  expect_tokens(thai({0xE01}), {{thai({0xE01}), thai({0xE01})}});
  expect_tokens(thai({0xE01, 0xE31}), {{thai({0xE01, 0xE31}), thai({0xE01, 0xE31})}});
  // Anything else between parts a run, an ideograph too.
  const std::string a = utf8_of(0x3042), i = utf8_of(0x3044), han = utf8_of(0x6F22);
  expect_tokens(a + " " + i, {{a, a}, {i, i}});
  expect_tokens(a + i + han + a, {{a + i, a + i}, {han, han}, {a, a}});
  // An ignorable belongs to the letter before it, and is dropped.
  const std::string joiner = utf8_of(0x200D);
  expect_tokens(a + joiner + i + joiner, {{a + i, a + joiner + i + joiner}});
  // Ka and ga by a voicing mark; Thai digits are a word.
  const std::string ga = utf8_of({0x304B, 0x3099});
  expect_tokens(ga + a, {{utf8_of(0x304C) + a, ga + a}});
  const std::string digits = utf8_of({0xE52, 0xE55, 0xE56, 0xE56});
  expect_tokens(thai({0xE1B, 0xE35}) + digits,
                {{thai({0xE1B, 0xE35}), thai({0xE1B, 0xE35})}, {digits, digits}});
}

TEST(WordsReference, IgnorablesAreDroppedFromWords) {
  const std::string shy = utf8_of(0xAD), joiner = utf8_of(0x200D), space = utf8_of(0x200B);
  expect_tokens("co" + shy + "operate", {{"cooperate", "co" + shy + "operate"}});
  expect_tokens(shy + "a" + joiner + " b", {{"a", "a" + joiner}, {"b", "b"}});
  expect_tokens("a" + space + "b", {{"a", "a"}, {"b", "b"}});
  expect_tokens(joiner + shy, {});
  const std::string han = utf8_of(0x6F22), selector = utf8_of(0xFE00);
  expect_tokens(han + selector + "b", {{han, han + selector}, {"b", "b"}});
}

TEST(WordsReference, ZeroWidthSpacesAreHintsInScriptsWithoutSpaces) {
  const std::string hint = utf8_of(0x200B);
  const std::string a = utf8_of(0x1780), i = utf8_of(0x1781), sign = utf8_of(0x17B6);
  expect_tokens(a + hint + i, {{a + i, a + hint + i}});
  expect_tokens(a + hint + hint + i + hint, {{a + i, a + hint + hint + i + hint}});
  expect_tokens(a + sign + hint + i, {{a + sign + i, a + sign + hint + i}});
  expect_tokens(a + utf8_of(0x200D) + hint + sign + i,
                {{a + sign + i, a + utf8_of(0x200D) + hint + sign + i}});
  // Not between other letters, nor after what is no letter.
  expect_tokens(a + hint + "b" + hint + "c", {{a, a + hint}, {"b", "b"}, {"c", "c"}});
  expect_tokens(hint + a + " " + hint + i, {{a, a}, {i, i}});
  const std::string digit = utf8_of(0x17E1);
  expect_tokens(a + hint + digit + hint + i, {{a, a + hint}, {digit, digit}, {i, i}});
  const std::string han = utf8_of(0x6F22);
  expect_tokens(han + hint + han, {{han, han}, {han, han}});
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

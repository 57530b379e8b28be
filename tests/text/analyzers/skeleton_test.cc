// The analyzer `skeleton`: texts that look alike have equal tokens, of the right bytes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "text/analyzer.h"
#include "text/text_samples.h"
#include "text/unicode_judge.h"

namespace twinset {
namespace {

using Words = std::vector<std::string>;

Analysis skeleton_of(std::string_view text, std::string_view analyzer = "skeleton",
                     Offsets offsets = Offsets::keep) {
  Analysis analysis;
  find_analyzer(analyzer)->analyze(text, offsets, analysis);
  return analysis;
}

Words looks(std::string_view text, std::string_view analyzer = "skeleton") {
  Words words;
  for (const TokenOffsets token : skeleton_of(text, analyzer).offsets) {
    find_analyzer(analyzer)->append_token(text, token, words.emplace_back());
  }
  return words;
}

/// The bytes of each token.
Words bytes_of(std::string_view text, std::string_view analyzer = "skeleton") {
  Words bytes;
  for (const TokenOffsets token : skeleton_of(text, analyzer).offsets) {
    bytes.emplace_back(text.substr(token.begin, token.end - token.begin));
  }
  return bytes;
}

constexpr std::string_view letters = "skeleton(digits=letters)";
constexpr std::string_view joined = "skeleton(digits=letters, spaced=join)";

TEST(Skeleton, IsNamedByItsParameters) {
  EXPECT_EQ(find_analyzer("skeleton")->name(), "skeleton");
  EXPECT_EQ(find_analyzer("skeleton(digits=keep)"), find_analyzer("skeleton"));
  EXPECT_EQ(find_analyzer(letters)->name(), letters);
  EXPECT_EQ(find_analyzer("skeleton(spaced=join,digits=letters)")->name(), joined);
  EXPECT_EQ(find_analyzer("skeleton(spaced=join)")->name(), "skeleton(spaced=join)");
  EXPECT_EQ(find_analyzer("skeleton")->version(), 1u);
  const auto refused = require_analyzer("skeleton(digits=drop)");
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("expected one of keep, letters"), std::string::npos);
}

TEST(Skeleton, SeesThroughOtherScripts) {
  EXPECT_EQ(looks("\u0440\u0430ypal"), (Words{"paypai"})) << "UTS #39's Cyrillic r and a";
  EXPECT_EQ(looks("paypa\u04CF paypaI PayPal PAYPAL"), Words(4, "paypai"));
  EXPECT_EQ(looks("\u03C1\u03B1\u03BD\u03B5"), (Words{"pave"})) << "Greek";
  EXPECT_EQ(looks("\uFF30\uFF41\uFF59\uFF50\uFF41\uFF4C"), (Words{"paypai"})) << "full width";
  EXPECT_EQ(looks("\U0001D42F\U0001D422\U0001D41A\U0001D420\U0001D42B\U0001D41A \U0001D57D"),
            (Words{"viagra", "r"}))
      << "mathematical letters";
  EXPECT_EQ(looks("\U0001F175\U0001F181\U0001F174\U0001F174 \u24D5\u24E1\u24D4\u24D4 \u1D20\u026A"),
            (Words{"free", "free", "vi"}))
      << "letters in squares and circles, small capitals";
  EXPECT_EQ(looks("v\u26A0a"), looks("v\u26A0a", "words_nfkc")) << "an emoji stays";
  EXPECT_EQ(looks("\u13AA\u13B7\u13AA\u13C3\u13BE\u13C6"), (Words{"amazo\u13C6"})) << "Cherokee";
}

TEST(Skeleton, TurkishLettersAreThoseOfTheOthers) {
  EXPECT_EQ(looks("d\u0131sk D\u0130SK disk DISK"), Words(4, "disk"));
}

TEST(Skeleton, CaseDoesNotCountEitherSideOfALookAlike) {
  // U+0412 looks like B; U+0432 looks like no letter of ASCII, but is its small letter.
  EXPECT_EQ(looks("\u0412\u0430\u0448"), looks("\u0432\u0430\u0448"));
  EXPECT_EQ(looks("\u041C\u041E\u0421\u041A\u0412\u0410"),
            looks("\u043C\u043E\u0441\u043A\u0432\u0430"));
  EXPECT_EQ(looks("\u041C\u041E\u0421\u041A\u0412\u0410"), (Words{"mockba"}));
  EXPECT_EQ(looks("STRASSE"), looks("Stra\u00DFe"));
}

TEST(Skeleton, RnIsMHoweverItIsWritten) {
  for (const char* text : {"modern", "modem", "MODERN", "moder\u200Bn", "mode\u0433n",
                           "r\u0301nodem", "\u043Codem", "\u0280\u0274odem"}) {
    EXPECT_EQ(looks(text), (Words{"modem"})) << text;
  }
  EXPECT_EQ(looks("r n or now r.n"), (Words{"r", "n", "or", "now", "r", "n"})) << "within a word";
  EXPECT_EQ(looks("rrnn"), (Words{"rmn"}));
}

TEST(Skeleton, WhatIsNotSeenDoesNotCount) {
  EXPECT_EQ(looks("v\u200Bi\u200Da\u2060g\u00ADr\uFEFFa"), (Words{"viagra"}));
  EXPECT_EQ(looks("\u202Eviagra\u202C \u200Fvia\u061Cgra\u200E"), (Words{"viagra", "viagra"}));
  EXPECT_EQ(looks("v\U000E0041i\U000E0042"), (Words{"vi"})) << "tags";
  EXPECT_EQ(looks("v\u0336i\u0336\u0301\u0489a\u20DD cafe\u0301 caf\u00E9 \u00F8l \u0142"),
            (Words{"via", "cafe", "cafe", "oi", "i"}));
  EXPECT_EQ(looks("a\u200B \u200Bb"), (Words{"a", "b"}));
  EXPECT_EQ(looks("\u200B\u0301"), Words{});
  EXPECT_EQ(looks("1\uFE0F\u20E3"), (Words{"1"})) << "a keycap";
}

TEST(Skeleton, MarksOfOtherScriptsStayAmongTheirLetters) {
  EXPECT_EQ(looks("\u0915\u093F \u0915\u0940").size(), 2u);
  EXPECT_NE(looks("\u0915\u093F"), looks("\u0915\u0940")) << "vowel signs of Devanagari";
  EXPECT_EQ(looks("v\u093Fi"), (Words{"vi"})) << "but not among ours";
  EXPECT_EQ(looks("\u304B\u3099\u304F"), looks("\u304C\u304F"));
  EXPECT_NE(looks("\u304B\u3099\u304F"), looks("\u304B\u304F")) << "kana's voicing marks";
}

TEST(Skeleton, DigitsAreThoseOfASCII) {
  EXPECT_EQ(looks("\u0661\u0662 \u0967\u0968 \U0001D7CF\U0001D7D0 \uFF11\uFF12 \u2460\u00B2"),
            Words(5, "12"));
  EXPECT_EQ(looks("100 loo"), (Words{"100", "ioo"})) << "and no letters unless that is asked for";
}

TEST(Skeleton, DigitsAndSignsInWordsAreLettersIfAskedFor) {
  EXPECT_EQ(looks("V1@gra v1agra VIAGRA v|agra v!agr@ paypa1", letters),
            (Words{"viagra", "viagra", "viagra", "viagra", "viagr", "paypai"}));
  EXPECT_EQ(looks("$ale @dult g00gle 4ever L0AN5", letters),
            (Words{"saie", "aduit", "googie", "aever", "ioans"}));
  EXPECT_EQ(looks("V1@gra"), (Words{"v1", "gra"})) << "by itself it is two words";
}

TEST(Skeleton, NumbersAndAddressesStay) {
  EXPECT_EQ(looks("100 2003-05-17 US$100 $100 5! free! a|", letters),
            (Words{"100", "2003", "05", "17", "us", "100", "100", "5", "free", "a"}));
  EXPECT_EQ(looks("joe@example.com joe@example", letters),
            (Words{"joe", "exampie", "com", "joeaexampie"}));
  EXPECT_EQ(looks("!!!now |x| ||", letters), (Words{"now", "x"}));
  EXPECT_EQ(looks("1\u20132a", letters), (Words{"1", "za"})) << "a dash separates";
}

TEST(Skeleton, SpacedLettersAreOneWordIfAskedFor) {
  EXPECT_EQ(looks("V.i.a.g.r.a V i a g r a, V-i-a-g-r-a; (v*i*a*g*r*a)", joined),
            Words(4, "viagra"));
  EXPECT_EQ(looks("M o d e r n", joined), (Words{"modem"}));
  EXPECT_EQ(looks("U.S.A. a b c de f", joined), (Words{"u", "s", "a", "a", "b", "c", "de", "f"}))
      << "fewer than four";
  EXPECT_EQ(looks("a b c d efg", joined), (Words{"abcd", "efg"}));
  EXPECT_EQ(looks("xa b c d e", joined), (Words{"xa", "bcde"}));
  EXPECT_EQ(looks("a b-c d e", joined), (Words{"a", "b", "c", "d", "e"})) << "one separator";
  EXPECT_EQ(looks("a\nb\nc\nd", joined), (Words{"a", "b", "c", "d"})) << "on a line";
  EXPECT_EQ(looks("V.i.a.g.r.a"), (Words{"v", "i", "a", "g", "r", "a"})) << "split by itself";
}

TEST(Skeleton, RangesAreThoseOfTheBytesAsTheyStand) {
  EXPECT_EQ(bytes_of("<\u0440\u0430ypal>"), (Words{"\u0440\u0430ypal"}));
  EXPECT_EQ(bytes_of("x v\u200Bi\u200Da. y"), (Words{"x", "v\u200Bi\u200Da", "y"}));
  EXPECT_EQ(bytes_of("turn  cafe\u0301 tur\u200Bn, e\u0301r\u0301n\u0301\u0302!"),
            (Words{"turn", "cafe\u0301", "tur\u200Bn", "e\u0301r\u0301n\u0301\u0302"}))
      << "marks after a letter belong to it";
  EXPECT_EQ(bytes_of("a.V.i.a.g.r.a \u0432 i a g r \u0101 b", joined),
            (Words{"a.V.i.a.g.r.a", "\u0432 i a g r \u0101 b"}));
  EXPECT_EQ(bytes_of("\uFDF2a \u00E6on \u01C6"), (Words{"\uFDF2a", "\u00E6on", "\u01C6"}))
      << "one character for several";
}

TEST(Skeleton, InvalidUtf8SeparatesAndIsCounted) {
  const Analysis analysis = skeleton_of(
      "a\xFF"
      "b \xE2\u200B\x82\xAC");
  EXPECT_EQ(analysis.replaced, 4u);
  EXPECT_EQ(analysis.offsets, (std::vector<TokenOffsets>{{0, 1}, {2, 3}}));
  EXPECT_EQ(looks("a\xC3"), (Words{"a"})) << "at the end";
  EXPECT_EQ(skeleton_of("r\xC3n").tokens.size(), 2u) << "between r and n";
}

TEST(Skeleton, OfPlainLettersTokensAreThoseOfWords) {
  const std::string text = "The quick brown fox, 42 times; it jumps over 7 dogs: no more.";
  EXPECT_EQ(skeleton_of(text).tokens, skeleton_of(text, "words").tokens);
  EXPECT_EQ(skeleton_of(text).offsets, skeleton_of(text, "words").offsets);
}

/// Texts of characters that the analyzer treats apart, beside any others.
std::string random_text(Samples& samples) {
  static const std::vector<std::string> some{
      "r",      "n",      "rn",          "l",         "I",      "1",      "0",      "@",
      "$",      "!",      "|",           " ",         ".",      "\u200B", "\u0301", "\u093F",
      "\u0915", "\u0433", "\u0430",      "\u00E9",    "\u304B", "\u3099", "\uFB01", "\u2013",
      "\xE2",   "\x82",   "V.i.a.g.r.a", "a b c d e", "\u212E", "\uAC00", "\u11A8"};
  std::string text;
  for (std::uint64_t i = samples.below(40); i > 0; --i) {
    text += samples.below(8) == 0 ? utf8_of(static_cast<std::uint32_t>(samples.below(0x3000)))
                                  : some[samples.below(some.size())];
  }
  return text;
}

TEST(Skeleton, BlocksChangeNothing) {
  // A text, alone and after plain text that shifts it through the blocks.
  Samples samples(20260101);
  for (int i = 0; i < 3000; ++i) {
    const std::string text = random_text(samples);
    const std::string before(samples.below(150), 'a');
    const std::string all = before + ' ' + text + ' ' + before;
    for (const std::string_view analyzer : {std::string_view("skeleton"), letters, joined}) {
      Analysis expected = skeleton_of(' ' + text + ' ', analyzer);
      const Analysis analysis = skeleton_of(all, analyzer);
      if (!before.empty()) {
        expected.tokens.insert(expected.tokens.begin(), skeleton_of(before).tokens[0]);
        expected.tokens.push_back(expected.tokens[0]);
      }
      // With a letter alone before it a spaced word is longer.
      if (before.size() != 1) {
        EXPECT_EQ(analysis.tokens, expected.tokens) << text;
      }
      EXPECT_EQ(analysis.tokens, skeleton_of(all, analyzer, Offsets::drop).tokens) << text;
      EXPECT_EQ(analysis.offsets.size(), analysis.tokens.size());
      for (std::size_t t = 0; t < analysis.offsets.size(); ++t) {
        const TokenOffsets range = analysis.offsets[t];
        ASSERT_LT(range.begin, range.end);
        ASSERT_LE(range.end, all.size());
        if (t > 0) {
          ASSERT_GE(range.begin, analysis.offsets[t - 1].begin) << text;
          ASSERT_GE(range.end, analysis.offsets[t - 1].end) << text;
        }
      }
    }
  }
}

TEST(Skeleton, ComposedAndDecomposedTextsHaveEqualTokens) {
  if (const std::string why = judge::cannot_judge(); !why.empty()) GTEST_SKIP() << why;
  int tried = 0;
  for (std::uint32_t code_point = 0x80; code_point < 0x30000; ++code_point) {
    if (!judge::is_assigned(code_point)) continue;
    const std::string text = "a " + utf8_of(code_point) + "b " + utf8_of(code_point);
    const std::string apart = judge::nfd(text);
    if (apart == text) continue;
    EXPECT_EQ(skeleton_of(text).tokens, skeleton_of(apart).tokens) << std::hex << code_point;
    EXPECT_EQ(skeleton_of(text).tokens, skeleton_of(judge::nfc(apart)).tokens)
        << std::hex << code_point;
    ++tried;
  }
  EXPECT_GT(tried, 10000);
}

}  // namespace
}  // namespace twinset

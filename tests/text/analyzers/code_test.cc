// The analyzer `code`: golden tokens, and its promises for any bytes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "text/analyzer.h"
#include "text/text_samples.h"
#include "text/token_hash.h"
#include "text/unicode_judge.h"

namespace twinset {
namespace {

using Tokens = std::vector<std::string>;

Analysis analyzed(std::string_view text) {
  Analysis analysis;
  find_analyzer("code")->analyze(text, Offsets::keep, analysis);
  return analysis;
}

/// The tokens as `code` would write them; their hashes are checked.
Tokens code_of(const std::string& text) {
  Tokens tokens;
  const Analysis analysis = analyzed(text);
  EXPECT_EQ(analysis.offsets.size(), analysis.tokens.size());
  for (std::size_t i = 0; i < analysis.offsets.size(); ++i) {
    find_analyzer("code")->append_token(text, analysis.offsets[i], tokens.emplace_back());
    EXPECT_EQ(token_hash(tokens.back()), analysis.tokens[i]) << tokens.back();
  }
  return tokens;
}

TEST(Code, IsNamedAndVersioned) {
  const Analyzer* code = find_analyzer("code");
  ASSERT_NE(code, nullptr);
  EXPECT_EQ(code->name(), "code");
  EXPECT_EQ(code->version(), 2u);
}

TEST(Code, OneToken) {
  for (const char* token :
       {"+",  "-",   "->",      "==",       "C++",  "C#",       "-500",   "3.14",  "snake_case",
        "x",  "_",   "$name",   "0xFF",     "1e-5", "-1.5E+10", "0x1p-3", "1'000", "1_000",
        ".5", "+49", "3.14.15", "5px",      "===",  "!=",       "<=>",    "...",   "::",
        "//", "/*",  "====",    "--------", "{",    ";",        "#",      "Max"}) {
    EXPECT_EQ(code_of(token), Tokens{token});
  }
}

TEST(Code, SignsAndSymbolsCount) {
  EXPECT_NE(analyzed("C++").tokens, analyzed("C#").tokens);
  EXPECT_NE(analyzed("C++").tokens, analyzed("C").tokens);
  EXPECT_NE(analyzed("-500").tokens, analyzed("500").tokens);
  EXPECT_NE(analyzed("a == b").tokens, analyzed("a != b").tokens);
  EXPECT_NE(analyzed("Max").tokens, analyzed("max").tokens) << "case counts";
  EXPECT_EQ(analyzed("if(a){b();}").tokens, analyzed("if ( a )\n{\n\tb();\n}").tokens)
      << "white space does not";
}

TEST(Code, Lines) {
  EXPECT_EQ(
      code_of("for (int i = -1; i < n_items; ++i) p->x[i] += 3.14f; // done"),
      (Tokens{"for", "(", "int", "i", "=", "-1", ";", "i",  "<",     "n_items", ";",  "++",  "i",
              ")",   "p", "->",  "x", "[", "i",  "]", "+=", "3.14f", ";",       "//", "done"}));
  EXPECT_EQ(code_of("x-500 x - 500 x=-500 (-5) a[1]-2 f()-3 return -4"),
            (Tokens{"x", "-", "500", "x", "-", "500", "x", "=", "-500", "(", "-5",     ")", "a",
                    "[", "1", "]",   "-", "2", "f",   "(", ")", "-",    "3", "return", "-4"}));
  EXPECT_EQ(code_of("C++, C++17 and C#: i++ c++; A##B"),
            (Tokens{"C++", ",", "C++", "17", "and", "C#", ":", "i", "++", "c", "++", ";", "A", "##",
                    "B"}));
  EXPECT_EQ(code_of("2020-01-15 1..10 t.0 $5.00 #include <a.h> a>>=1"),
            (Tokens{"2020", "-", "01",      "-", "15", "1", "..", "10", "t", ".",   "0", "$",
                    "5.00", "#", "include", "<", "a",  ".", "h",  ">",  "a", ">>=", "1"}));
  EXPECT_EQ(code_of("/***** 'It is' *****/ ((((x))))"),
            (Tokens{"/*", "****", "'", "It", "is", "'", "*****", "/", "(", "(", "(", "(", "x", ")",
                    ")", ")", ")"}));
}

TEST(Code, TextInCommentsIsText) {
  const std::string han = utf8_of(0x6F22), a = utf8_of(0x3042), i = utf8_of(0x3044),
                    u = utf8_of(0x3046);
  EXPECT_EQ(code_of("//" + han + han + a + i + u), (Tokens{"//", han, han, a + i, i + u}));
  const std::string composed = "caf" + utf8_of(0xE9), apart = "cafe" + utf8_of(0x301);
  EXPECT_EQ(code_of(apart + " " + composed), (Tokens{composed, composed}));
  EXPECT_EQ(code_of("a" + utf8_of(0x2260) + "b a=" + utf8_of(0x338) + "b"),
            (Tokens{"a", utf8_of(0x2260), "b", "a", utf8_of(0x2260), "b"}));
  EXPECT_EQ(code_of(utf8_of(0x20AC) + "5"), (Tokens{utf8_of(0x20AC), "5"}));
}

TEST(Code, NormalFormsHaveTheSameTokens) {
  std::string text;
  for (std::uint32_t code_point = 1; code_point < 0x110000; ++code_point) {
    if (!judge::is_assigned(code_point) && code_point != 0x10FFFF) continue;
    const std::string it = utf8_of(code_point);
    text += "x" + it + "y 5" + it + utf8_of(0x301) + " == " + it + "\n";
    if (text.size() < 2000 && code_point != 0x10FFFF) continue;
    const std::vector<std::uint64_t> expected = analyzed(text).tokens;
    ASSERT_EQ(analyzed(judge::nfd(text)).tokens, expected) << "up to " << std::hex << code_point;
    ASSERT_EQ(analyzed(judge::nfc(text)).tokens, expected) << "up to " << std::hex << code_point;
    text.clear();
  }
}

TEST(Code, TakesAnyBytes) {
  Samples samples(22);
  for (int i = 0; i < 2000; ++i) {
    const std::string text =
        i % 2 == 0 ? samples.mixed(samples.below(400)) : samples.ascii(samples.below(200));
    const Analysis analysis = analyzed(text);
    ASSERT_EQ(analysis.offsets.size(), analysis.tokens.size());
    TokenOffsets before;
    for (std::size_t k = 0; k < analysis.tokens.size(); ++k) {
      const TokenOffsets offsets = analysis.offsets[k];
      ASSERT_TRUE((k == 0 || offsets.begin > before.begin) && offsets.end > before.end);
      ASSERT_TRUE(offsets.end > offsets.begin && offsets.end <= text.size());
      before = offsets;
      std::string token;
      find_analyzer("code")->append_token(text, offsets, token);
      ASSERT_EQ(token_hash(token), analysis.tokens[k]);
    }
  }
  EXPECT_EQ(analyzed("a\xFF+").replaced, 1u);
  EXPECT_EQ(code_of("a\xFF+"), (Tokens{"a", "+"}));
  EXPECT_TRUE(code_of(" \t\n" + std::string(1, '\0')).empty());
}

}  // namespace
}  // namespace twinset

#include "words/visible.h"

#include <gtest/gtest.h>

#include <random>

#include "words/documents.h"

namespace twinset {
namespace {

using namespace std::string_literals;

TEST(Visible, ControlsAreSpelledOut) {
  EXPECT_EQ(visible_text("red \x1b[31m"), "red \\x1b[31m");
  EXPECT_EQ(visible_text("a\0b"s), "a\\x00b");
  EXPECT_EQ(visible_text("a\nb\tc\rd\x7f"), "a\\nb\\tc\\rd\\x7f");
  EXPECT_EQ(visible_text("a\nb\tc\rd", Lines::keep), "a\nb\tc\\rd");
  EXPECT_EQ(visible_text("a\r\nb", Lines::keep), "a\nb");
  EXPECT_EQ(visible_text("a\r\nb", Lines::spell), "a\\r\\nb");
  EXPECT_EQ(visible_text("\xc2\x9b"
                         "31m"),
            "\\u{9b}31m");
}

TEST(Visible, InvisibleCharactersAreSpelledOut) {
  EXPECT_EQ(visible_text("\xe2\x80\xae"
                         "exe"),
            "\\u{202e}exe");
  EXPECT_EQ(visible_text("\xef\xbb\xbf"
                         "bom"),
            "\\u{feff}bom");
  EXPECT_EQ(visible_text("\xf3\xa0\x81\x81"), "\\u{e0041}");
  EXPECT_EQ(visible_text("\xef\xbf\xbf"), "\\u{ffff}");
  EXPECT_EQ(visible_text("\xf0\x9f\xbf\xbe"), "\\u{1fffe}");
}

TEST(Visible, OrdinaryTextPassesUnchanged) {
  const std::string text =
      "na\xc3\xafve \xe6\xbc\xa2\xe5\xad\x97 \xd7\xa9\xd7\x9c \xf0\x9f\x98\x80 \xe2\x80\x8d.";
  EXPECT_EQ(visible_text(text), text);
}

TEST(Visible, EachMaximalIllFormedPartIsOneReplacement) {
  const std::string r = "\xef\xbf\xbd";
  const auto shown = [](std::string_view text) { return visible_text(text, Lines::keep); };
  EXPECT_EQ(shown("a\xff"
                  "b"),
            "a" + r + "b");
  EXPECT_EQ(shown("\xe2\x82"), r);  // truncated: one part
  EXPECT_EQ(shown("\xe2\x82"
                  "x"),
            r + "x");
  EXPECT_EQ(shown("\xf0\x9f\x98"), r);
  EXPECT_EQ(shown("\xc0\xbc"), r + r);  // overlong
  EXPECT_EQ(shown("\xe0\x80\xbc"), r + r + r);
  EXPECT_EQ(shown("\xed\xa0\x80"), r + r + r);          // surrogate
  EXPECT_EQ(shown("\xf4\x90\x80\x80"), r + r + r + r);  // past U+10FFFF
  EXPECT_EQ(shown("\xe2\xc3\xa9"), r + "\xc3\xa9");     // the second starts anew
}

TEST(Visible, InvalidBytesOfNamesAreSpelledSoThatTwoNeverLookTheSame) {
  EXPECT_EQ(visible_text("bad\xff.txt"), "bad\\xff.txt");
  EXPECT_EQ(visible_text("bad\xfe.txt"), "bad\\xfe.txt");
  EXPECT_EQ(visible_text("\xf0\x9f\x98"), "\\xf0\\x9f\\x98");
  EXPECT_EQ(html_text("\xff<"), "\\xff&lt;");
}

TEST(Visible, HtmlEscapesEveryMetacharacter) {
  EXPECT_EQ(html_text("<a b=\"c\" d='e'>&"), "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;");
  EXPECT_EQ(html_text("&lt;"), "&amp;lt;");
}

bool is_harmless(const std::string& out, bool for_html, bool keeps_lines) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto c = static_cast<std::uint8_t>(out[i]);
    if (c < 0x20 && !(keeps_lines && (c == '\n' || c == '\t'))) return false;
    if (c == 0x7f) return false;
    if (c == 0xc2 && static_cast<std::uint8_t>(out[i + 1]) < 0xa0) return false;  // C1
    if (for_html && (c == '<' || c == '>' || c == '"' || c == '\'')) return false;
  }
  return true;
}

/// Decodes strictly, written apart from the code under test.
bool is_utf8(const std::string& text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto at = [&](std::size_t k) -> unsigned {
      return i + k < text.size() ? static_cast<std::uint8_t>(text[i + k]) : 0U;
    };
    const unsigned lead = at(0);
    const unsigned length = lead < 0x80       ? 1
                            : lead >> 5 == 6  ? 2
                            : lead >> 4 == 14 ? 3
                            : lead >> 3 == 30 ? 4
                                              : 0;
    if (length == 0) return false;
    std::uint32_t value = length == 1 ? lead : lead & (0xffU >> (length + 1));
    for (unsigned k = 1; k < length; ++k) {
      if (at(k) >> 6 != 2) return false;
      value = value << 6 | (at(k) & 0x3fU);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (value < least[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
      return false;
    i += length;
  }
  return true;
}

TEST(Visible, NothingHostileComesThrough) {
  std::vector<std::string> inputs = hostile_strings();
  std::mt19937_64 random(3);
  constexpr std::uint8_t telling[] = {0xc2, 0xe2, 0x80, 0x81, 0xae, 0x9b, 0xed, 0xa0, 0xf4,
                                      0xef, 0xbb, 0xbf, 0xf3, '<',  '&',  0x1b, 0,    'a'};
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (std::size_t n = random() % 12; n > 0; --n) {
      text += static_cast<char>(random() % 2 == 0 ? random() % 256
                                                  : telling[random() % std::size(telling)]);
    }
    inputs.push_back(text);
  }
  for (const std::string& input : inputs) {
    for (const Lines lines : {Lines::keep, Lines::spell}) {
      const std::string terminal = visible_text(input, lines), page = html_text(input, lines);
      ASSERT_TRUE(is_utf8(terminal)) << terminal;
      ASSERT_TRUE(is_utf8(page)) << page;
      ASSERT_TRUE(is_harmless(terminal, false, lines == Lines::keep)) << terminal;
      ASSERT_TRUE(is_harmless(page, true, lines == Lines::keep)) << page;
      for (const char* steering :
           {"\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x80\x8f", "\xef\xbb\xbf"}) {
        ASSERT_EQ(page.find(steering), std::string::npos);
      }
    }
  }
}

TEST(Visible, CutsKeepCharactersWhole) {
  const std::string text =
      "ab\xf0\x9f\x98\x80"
      "cd";  // 8 bytes
  EXPECT_EQ(whole_prefix(text, 2), "ab");
  EXPECT_EQ(whole_prefix(text, 5), "ab");
  EXPECT_EQ(whole_prefix(text, 6), "ab\xf0\x9f\x98\x80");
  EXPECT_EQ(whole_prefix(text, 99), text);
  EXPECT_EQ(whole_suffix(text, 5), "cd");
  EXPECT_EQ(whole_suffix(text, 6),
            "\xf0\x9f\x98\x80"
            "cd");
  EXPECT_EQ(whole_suffix(text, 0), "");
  const std::string stray(10, '\x80');  // no character to keep whole
  EXPECT_EQ(whole_prefix(stray, 5).size(), 5u);
  EXPECT_LE(whole_suffix(stray, 5).size(), 5u);
}

TEST(Visible, FirstWordsAreWholeAndOnOneLine) {
  EXPECT_EQ(first_words("  one\n\ttwo\r\nthree "), "one two three");
  EXPECT_EQ(first_words(""), "");
  const std::string words = first_words(std::string(20, 'a') + " " + std::string(60, 'b') + " c");
  EXPECT_EQ(words, std::string(20, 'a') + " " + std::string(55, 'b') + " ...");
  EXPECT_EQ(first_words(counted_words(100, 50)),
            "w100 w101 w102 w103 w104 w105 w106 w107 w108 w109 w110 w111 w112 w113 w114 ...");
}

}  // namespace
}  // namespace twinset

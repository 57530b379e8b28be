// I-01: the papers' words, by hand and against an oracle on utf8proc.
#include "text/word_rule.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "text/text_samples.h"
#include "text/token_hash.h"
#include "text/unicode_judge.h"

namespace twinset {
namespace {

using Words = std::vector<std::string>;

/// The canonical forms of the tokens, which are held to be what their hashes are of.
Words words_of(std::string_view text, std::string_view analyzer) {
  const Analyzer* const found = find_analyzer(analyzer);
  if (found == nullptr) return {"no analyzer"};
  Analysis analysis;
  found->analyze(text, Offsets::keep, analysis);
  Words words;
  for (std::size_t i = 0; i < analysis.tokens.size(); ++i) {
    found->append_token(text, analysis.offsets[i], words.emplace_back());
    EXPECT_EQ(analysis.tokens[i], token_hash(words.back())) << words.back();
  }
  Analysis dropped;
  found->analyze(text, Offsets::drop, dropped);
  EXPECT_EQ(dropped.tokens, analysis.tokens);
  EXPECT_TRUE(dropped.offsets.empty());
  return words;
}

constexpr std::string_view papers = "words(min_chars=4, max_digits=1)";
constexpr std::string_view keep = "words(punctuation=keep)";
constexpr std::string_view drop = "words(punctuation=drop)";

TEST(WordRule, ThePapersWords) {
  EXPECT_EQ(words_of("FREE offer!!! Call 1-800-555 or 24hr line, code x12y, win2k now", papers),
            (Words{"free", "offer", "call", "line", "code", "win2k"}));
  EXPECT_EQ(words_of("abc abcd ab3d a33d 1234 7abc", papers), (Words{"abcd", "ab3d", "7abc"}));
  EXPECT_EQ(words_of("", papers), Words{});
  EXPECT_EQ(words_of("a an the 99", papers), Words{});
}

TEST(WordRule, ATextOfFewDifferentWordsHasNone) {
  constexpr std::string_view five = "words(min_chars=4, max_digits=1, min_different=5)";
  const Words words{"this", "mail", "goes", "this", "mail", "stays", "because"};
  EXPECT_EQ(words_of("This mail goes: this mail stays because", five), words);
  EXPECT_EQ(words_of("This mail goes, and THIS mail stays, if 2 of 123", five), Words{});
  EXPECT_EQ(words_of("", five), Words{});
  EXPECT_EQ(words_of("a a", "words(min_different=1)"), (Words{"a", "a"}));
  EXPECT_EQ(words_of("a a", "words(min_different=2)"), Words{});
  EXPECT_EQ(words_of("a a \u6F22", "words(min_different=2)"), (Words{"a", "a", "\u6F22"}));
  EXPECT_EQ(words_of("a b c d e f g h i a", "words(min_different=10)"), Words{});
  EXPECT_EQ(words_of("a b c d e f g h i a j", "words(min_different=10)").size(), 11U);
}

TEST(WordRule, CharactersAreThoseOfTheCanonicalForm) {
  for (const std::string_view text : {"caf\u00E9 CAFE\u0301", "cafe\u0301 caf\u00E9"}) {
    EXPECT_EQ(words_of(text, "words(min_chars=4)"), (Words{"caf\u00E9", "caf\u00E9"}));
    EXPECT_EQ(words_of(text, "words(min_chars=5)"), Words{}) << "a mark is no character";
  }
  EXPECT_EQ(words_of("x\u0323\u0301\u0302y", "words(min_chars=3)"), Words{})
      << "marks that no letter takes";
  // One word, however it is written, and so one length.
  EXPECT_EQ(words_of("stra\u00DFe STRASSE", "words(min_chars=7)"), (Words{"strasse", "strasse"}));
  EXPECT_EQ(words_of("stra\u00DFe STRASSE", "words(min_chars=8)"), Words{});
  EXPECT_EQ(words_of("co\u00ADop co\u200Dop", "words(min_chars=5)"), Words{})
      << "ignorable characters are none";
  EXPECT_EQ(words_of("\uD55C\uAD6D \u1112\u1161\u11AB\u1100\u116E\u11A8", "words(min_chars=2)"),
            (Words{"\uD55C\uAD6D", "\uD55C\uAD6D"}));
  EXPECT_EQ(words_of("\uD55C\uAD6D \u1112\u1161\u11AB\u1100\u116E\u11A8", "words(min_chars=3)"),
            Words{});
}

TEST(WordRule, DigitsAreDecimalOnesOfAnyScript) {
  EXPECT_EQ(words_of("ab\u0661\u0662 ab\u0661c", "words(max_digits=1)"), Words{"ab\u0661c"})
      << "Arabic";
  EXPECT_EQ(words_of("\u096D\u096D\u096D \u096D", "words(max_digits=1)"), Words{"\u096D"});
  EXPECT_EQ(words_of("m\u00B2\u00B2 \u2460\u2461 \u2167\u2168", "words(max_digits=0)"),
            (Words{"m\u00B2\u00B2", "\u2460\u2461", "\u2177\u2178"}))
      << "superscripts, circled and Roman numbers are none";
  EXPECT_EQ(words_of("0 a1 ab", "words(max_digits=0)"), Words{"ab"});
}

TEST(WordRule, DigitsAreThoseOfUnicode) {
  if (!judge::cannot_judge().empty()) GTEST_SKIP() << judge::cannot_judge();
  for (std::uint32_t code_point = 0; code_point < 0x110000; ++code_point) {
    ASSERT_EQ(is_decimal_digit(code_point),
              utf8proc_category(static_cast<utf8proc_int32_t>(code_point)) == UTF8PROC_CATEGORY_ND)
        << std::hex << code_point;
  }
}

TEST(WordRule, IsOfWordsAlone) {
  const std::string text = "ab \u6F22\u5B57 \u0E01\u0E02\u0E03 \U0001F44D 7\uFE0F\u20E3 7\u20E3 77";
  EXPECT_EQ(words_of(text, "words(min_chars=4, max_digits=0)"),
            (Words{"\u6F22", "\u5B57", "\u0E01\u0E02", "\u0E02\u0E03", "\U0001F44D", "7\u20E3",
                   "7\u20E3"}))
      << "ideographs, pairs of letters without spaces, emoji";
  EXPECT_EQ(words_of("abcd\u6F22ef", "words(min_chars=4)"), (Words{"abcd", "\u6F22"}));
}

TEST(WordRule, PunctuationInsideAWord) {
  EXPECT_EQ(words_of("Don't", "words"), (Words{"don", "t"}));
  EXPECT_EQ(words_of("Don't", keep), Words{"don't"});
  EXPECT_EQ(words_of("Don't don\u2019t", drop), (Words{"dont", "dont"})) << "both apostrophes";
  EXPECT_EQ(words_of("don\u2019t", keep), Words{"don\u2019t"}) << "kept as it is";
  EXPECT_EQ(words_of("mother-in-law e\u2010mail", drop), (Words{"motherinlaw", "email"}));
  EXPECT_EQ(words_of("'mother-in-law'.", keep), Words{"mother-in-law"}) << "edges are stripped";
  EXPECT_EQ(words_of("http://a.b/c?d=1 U.S.A.", drop), (Words{"httpabcd1", "usa"}));
  EXPECT_EQ(words_of("a - b a -b a- b a-\nb", keep),
            (Words{"a", "b", "a", "b", "a", "b", "a", "b"}))
      << "white space separates";
  EXPECT_EQ(words_of("a\u00A0b a\u2003b a\u3000b a\u0085b a-\u00A0b", drop),
            (Words{"a", "b", "a", "b", "a", "b", "a", "b", "a", "b"}));
  EXPECT_EQ(words_of("a-\u200Bb a\x01-b", drop), (Words{"a", "b", "a", "b"}));
  EXPECT_EQ(words_of("a-\u0301-b", drop), Words{"ab"}) << "a mark on punctuation";
  EXPECT_EQ(words_of("ab-\u6F22-cd \u0E01-ab", drop), (Words{"ab", "\u6F22", "cd", "\u0E01", "ab"}))
      << "only words are joined";
  EXPECT_EQ(words_of("a-7\uFE0F\u20E3-b", drop), (Words{"a", "7\u20E3", "b"}));
}

TEST(WordRule, MeasuresAJoinedWordWhole) {
  EXPECT_EQ(words_of("a-b-c-d ab-c 1-2 a-1", "words(min_chars=4, punctuation=drop)"),
            Words{"abcd"});
  EXPECT_EQ(words_of("a-b-c-d ab--c 1-2 a-1", "words(min_chars=4, punctuation=keep)"),
            Words{"a-b-c-d"})
      << "punctuation is no character";
  EXPECT_EQ(words_of("1-2 a-1 1", "words(max_digits=1, punctuation=keep)"), (Words{"a-1", "1"}));
}

TEST(WordRule, InvalidBytesSeparate) {
  for (const std::string bad : {"\xFF", "\xED\xA0\x80", "\xC3", "\xE2\x82"}) {
    EXPECT_EQ(words_of("abcd" + bad + "efgh" + bad + "ij", papers), (Words{"abcd", "efgh"}));
    EXPECT_EQ(words_of("ab'" + bad + "'cd", drop), (Words{"ab", "cd"}));
  }
  EXPECT_EQ(words_of("ab\uFFFDcd", drop), (Words{"ab", "cd"}));
}

/// A word of a text by the categories of Unicode, and what stands before it.
struct JudgedWord {
  std::string text;
  bool inside = false;  ///< nothing but punctuation and marks stands before it
  std::string punctuation;
};

std::vector<JudgedWord> judged_words(const std::vector<std::uint32_t>& text) {
  std::vector<JudgedWord> words;
  JudgedWord next;
  bool in_word = false;
  for (const std::uint32_t code_point : text) {
    const utf8proc_category_t is = utf8proc_category(static_cast<utf8proc_int32_t>(code_point));
    const bool word = (is >= UTF8PROC_CATEGORY_LU && is <= UTF8PROC_CATEGORY_LO) ||
                      (is >= UTF8PROC_CATEGORY_ND && is <= UTF8PROC_CATEGORY_NO);
    const bool mark = is >= UTF8PROC_CATEGORY_MN && is <= UTF8PROC_CATEGORY_ME;
    const bool punctuation = is >= UTF8PROC_CATEGORY_PC && is <= UTF8PROC_CATEGORY_SO;
    if (word && !in_word) {
      words.push_back(next);
      in_word = true;
    }
    if (in_word && (word || mark)) {
      words.back().text += utf8_of(code_point);
      continue;
    }
    if (in_word) next = {"", true, ""};
    in_word = false;
    if (punctuation || mark) {
      next.punctuation += utf8_of(code_point);
    } else {
      next.inside = false;
    }
  }
  return words;
}

Words judged(const std::vector<std::uint32_t>& text, std::uint32_t min_chars, int max_digits,
             Punctuation rule) {
  Words joined;
  for (const JudgedWord& word : judged_words(text)) {
    if (rule == Punctuation::split || !word.inside || joined.empty()) {
      joined.push_back(word.text);
    } else {
      joined.back() += (rule == Punctuation::keep ? word.punctuation : "") + word.text;
    }
  }
  Words kept;
  for (const std::string& word : joined) {
    const std::string canonical = judge::nfc(judge::caseless(word));
    std::uint32_t chars = 0;
    int digits = 0;
    for (std::size_t at = 0; at < canonical.size();) {
      utf8proc_int32_t code_point = 0;
      at += static_cast<std::size_t>(utf8proc_iterate(
          reinterpret_cast<const utf8proc_uint8_t*>(canonical.data()) + at, -1, &code_point));
      const utf8proc_category_t is = utf8proc_category(code_point);
      digits += is == UTF8PROC_CATEGORY_ND ? 1 : 0;
      chars += (is >= UTF8PROC_CATEGORY_LU && is <= UTF8PROC_CATEGORY_LO) ||
                       (is >= UTF8PROC_CATEGORY_ND && is <= UTF8PROC_CATEGORY_NO)
                   ? 1
                   : 0;
    }
    if (chars >= min_chars && digits <= max_digits) kept.push_back(canonical);
  }
  return kept;
}

TEST(WordRule, EqualsTheDefinitionOnAnyText) {
  constexpr std::uint32_t characters[] = {
      'a',    'b',   'Z',   'q',   '0',    '7',    0xE9,   0xDF,   0x130,  0x416,
      0x436,  0x3A3, 0x3C2, 0x663, 0x96D,  0xB2,   0x2460, 0x2167, 0xFB03, 0x1D7D7,
      0x301,  0x323, '\'',  '-',   '.',    '_',    '@',    '+',    0x2019, 0x2010,
      0x20AC, ' ',   '\n',  0xA0,  0x2003, 0x3000, 0x85,   'x',    'y'};
  std::mt19937_64 random(5);
  for (int i = 0; i < tries(20'000); ++i) {
    std::vector<std::uint32_t> text;
    std::string bytes;
    // Most are ASCII, as most texts are, and some longer than a chunk of the kernel.
    const std::size_t length = i % 500 == 0 ? 20'000 : random() % 60;
    const bool plain = random() % 2 == 0;
    for (std::size_t j = 0; j < length; ++j) {
      const std::uint32_t any = characters[random() % std::size(characters)];
      text.push_back(plain && any > 0x7F && random() % 8 != 0 ? 'e' : any);
      bytes += utf8_of(text.back());
    }
    const auto min_chars = static_cast<std::uint32_t>(1 + random() % 6);
    const int max_digits = static_cast<int>(random() % 4);  // 3: any
    constexpr std::string_view names[] = {"split", "keep", "drop"};
    const std::size_t rule = random() % 3;
    const std::string analyzer = "words(min_chars=" + std::to_string(min_chars) + ", max_digits=" +
                                 (max_digits == 3 ? "any" : std::to_string(max_digits)) +
                                 ", punctuation=" + std::string(names[rule]) + ")";
    ASSERT_EQ(words_of(bytes, analyzer),
              judged(text, min_chars, max_digits == 3 ? 1'000'000 : max_digits,
                     static_cast<Punctuation>(rule)))
        << analyzer << " " << testing::PrintToString(bytes.substr(0, 300));
  }
}

}  // namespace
}  // namespace twinset

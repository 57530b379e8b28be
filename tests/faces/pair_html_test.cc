#include "faces/pair_html.h"

#include <gtest/gtest.h>

#include <string>

#include "faces/page_check.h"
#include "faces/pair_rows.h"
#include "words/documents.h"

namespace twinset {
namespace {

ShownPair pair_of(const std::string& a, const std::string& b, unsigned width = 3) {
  ShownPair pair;
  pair.a = {.id = "first", .file = "a.jsonl", .record = 1};
  pair.b = {.id = "second", .file = "b.jsonl", .record = 2000};
  set_rows(pair, a, b, find_passages(words_of(a), words_of(b), width));
  return pair;
}

std::string shown(const ShownPair& pair) {
  std::string out;
  append_pair(out, pair, "pairs-1", "survivor", "removed");
  const PageCheck check(out, false);
  EXPECT_TRUE(check.errors.empty()) << check.errors.front();
  return out;
}

std::string::size_type find(const std::string& text, const char* piece) { return text.find(piece); }

TEST(PairHtml, MarksWhatIsSharedAndWhatIsNot) {
  const std::string out = shown(pair_of("a b c d X e f g h", "a b c d Y Z e f g h"));
  EXPECT_NE(find(out,
                 "<div class=\"row same equal\"><div class=\"side a\"><mark>a b c d</mark></div>"
                 "<div class=\"side b\"><mark>a b c d</mark></div></div>"),
            std::string::npos)
      << out;
  EXPECT_NE(find(out,
                 "<div class=\"row diff\"><div class=\"side a\"><del>X</del></div>"
                 "<div class=\"side b\"><ins>Y Z</ins></div></div>"),
            std::string::npos)
      << out;
  EXPECT_NE(find(out, "<article class=\"pair\" id=\"pairs-1\">"), std::string::npos);
  EXPECT_NE(find(out, "<span class=\"role\">removed</span> <bdi class=\"id\">second</bdi>"),
            std::string::npos);
  EXPECT_NE(find(out, "record 2,000"), std::string::npos);
}

TEST(PairHtml, MovedPassagesCarryOneNumberOnBothSides) {
  const std::string one = counted_words(0, 6), two = counted_words(50, 30);
  const std::string out = shown(pair_of(one + ' ' + two, two + ' ' + one));
  EXPECT_NE(
      find(out,
           "<div class=\"side a\"><mark class=\"moved\"><span class=\"tag\">moved 1</span> w0"),
      std::string::npos)
      << out;
  EXPECT_NE(
      find(out,
           "<div class=\"side b\"><mark class=\"moved\"><span class=\"tag\">moved 1</span> w0"),
      std::string::npos)
      << out;
}

TEST(PairHtml, FactsAndWordsStandWithThePair) {
  ShownPair pair;
  pair.tag = "near";
  pair.facts = {{"resemblance", Value::share(0.8765), "7 of 8 <shingles>"}};
  pair.more = "The texts are identical.";
  const std::string out = shown(pair);
  EXPECT_NE(find(out, "resemblance <b>0.876</b> <small>7 of 8 &lt;shingles&gt;</small>"),
            std::string::npos)
      << out;
  EXPECT_NE(find(out, "<p class=\"more\">The texts are identical.</p>"), std::string::npos);
  EXPECT_EQ(find(out, "<mark>"), std::string::npos);
}

TEST(PairHtml, TouchingPassagesStayTwoElements) {
  // Letters without spaces between them, as in Chinese: "ab" both have, then x or y.
  ShownPair pair;
  Analysis a, b;
  a.tokens = {1, 2, 3, 4};
  b.tokens = {1, 2, 3, 5};
  a.offsets = b.offsets = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
  set_rows(pair, "abcx", "abcy", find_passages(a, b, 3));
  const std::string out = shown(pair);
  EXPECT_NE(find(out, "<mark>abc</mark></div>"), std::string::npos) << out;
  EXPECT_NE(find(out, "<del>x</del></div>"), std::string::npos) << out;
  EXPECT_NE(find(out, "<ins>y</ins></div>"), std::string::npos) << out;
}

TEST(PairHtml, EmptyTextsShowTheOtherSide) {
  EXPECT_NE(find(shown(pair_of("", "a b c")), "<ins>a b c</ins>"), std::string::npos);
  EXPECT_NE(find(shown(pair_of("a b c", "")), "<del>a b c</del>"), std::string::npos);
}

}  // namespace
}  // namespace twinset

#include "faces/pair_rows.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "words/documents.h"

namespace twinset {
namespace {

ShownPair rows_of(const std::string& a, const std::string& b, unsigned width = 3) {
  ShownPair pair;
  set_rows(pair, a, b, find_passages(words_of(a), words_of(b), width));
  return pair;
}

/// "=shared -only ~moved #label ...cut", other text as it is: "row a | row b", a line each.
std::string written(const std::vector<Piece>& pieces) {
  static const std::map<Mark, std::string> signs = {{Mark::shared, "="}, {Mark::only, "-"},
                                                    {Mark::moved, "~"},  {Mark::label, "#"},
                                                    {Mark::cut, "..."},  {Mark::skipped, "!"}};
  std::string out;
  for (const Piece& piece : pieces) {
    const auto sign = signs.find(piece.mark);
    out += "{" + (sign == signs.end() ? "" : sign->second) + piece.text + "}";
  }
  return out;
}

std::string written(const ShownPair& pair) {
  std::string out;
  for (const PairRow& row : pair.rows) {
    out += (row.same ? "same " : "diff ") + written(row.a) + " | " + written(row.b) + "\n";
  }
  return out;
}

std::size_t bytes_of(const ShownPair& pair) { return written(pair).size(); }

TEST(PairRows, TellWhatIsSharedAndWhatIsNot) {
  EXPECT_EQ(written(rows_of("a b c d X e f g h", "a b c d Y Z e f g h")),
            "same {=a b c d} | {=a b c d}\n"
            "diff {-X} | {-Y Z}\n"
            "same {=e f g h} | {=e f g h}\n");
}

TEST(PairRows, PunctuationStaysWithTheWordItTouches) {
  // Tokens by hand: a b c d then X or Y, with "(" before and ". " after.
  ShownPair pair;
  Analysis a, b;
  a.tokens = {1, 2, 3, 4};
  b.tokens = {1, 2, 3, 5};
  a.offsets = b.offsets = {{0, 1}, {2, 3}, {4, 5}, {8, 9}};
  set_rows(pair, "a b c. (X) ", "a b c. (Y) ", find_passages(a, b, 3));
  EXPECT_EQ(written(pair), "same {=a b c}{.} | {=a b c}{.}\ndiff {(}{-X}{)} | {(}{-Y}{)}\n");
}

TEST(PairRows, LongSharedPassagesAreCut) {
  const std::string common = counted_words(0, 500);
  const std::string out = written(rows_of("x y z " + common + " p", "q " + common + " r"));
  EXPECT_NE(out.find("{...476 shared words}"), std::string::npos) << out;
  EXPECT_NE(out.find("{=w0 w1 "), std::string::npos);
  EXPECT_NE(out.find(" w499}"), std::string::npos);
  EXPECT_EQ(out.find("w250"), std::string::npos);
}

TEST(PairRows, MovedPassagesCarryOneNumberOnBothSides) {
  const std::string one = counted_words(0, 6), two = counted_words(50, 30);
  const ShownPair pair = rows_of(one + ' ' + two, two + ' ' + one);
  std::string a, b;
  for (const PairRow& row : pair.rows) {
    a += written(row.a);
    b += written(row.b);
  }
  EXPECT_NE(a.find("{#moved 1}{~w0"), std::string::npos) << a;
  EXPECT_NE(b.find("{#moved 1}{~w0"), std::string::npos) << b;
}

TEST(PairRows, TouchingPassagesStayTwoPieces) {
  // Letters without spaces between them, as in Chinese: "abc" both have, then x or y.
  ShownPair pair;
  Analysis a, b;
  a.tokens = {1, 2, 3, 4};
  b.tokens = {1, 2, 3, 5};
  a.offsets = b.offsets = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
  set_rows(pair, "abcx", "abcy", find_passages(a, b, 3));
  EXPECT_EQ(written(pair), "same {=abc} | {=abc}\ndiff {-x} | {-y}\n");
}

TEST(PairRows, TheirSizeIsBoundedWhateverTheTexts) {
  std::string a, b;
  for (unsigned i = 0; i < 20'000; ++i) {  // differs every seventh word
    const std::string word = "w" + std::to_string(i) + ' ';
    a += i % 7 == 0 ? "a" + word : word;
    b += i % 7 == 0 ? "b" + word : word;
  }
  const ShownPair many = rows_of(a, b);
  EXPECT_LT(bytes_of(many), 3 * most_pair_bytes);
  EXPECT_NE(many.more.find("more passages are not shown."), std::string::npos);
  const ShownPair word = rows_of(std::string(3'000'000, '<') + " b c d", "b c d e");
  EXPECT_LT(bytes_of(word), 3 * most_pair_bytes);
  EXPECT_NE(written(word).find("3 MB"), std::string::npos);
  EXPECT_LT(bytes_of(rows_of("a b c" + std::string(3'000'000, ' ') + "d", "a b c e")),
            3 * most_pair_bytes);
}

TEST(PairRows, EmptyTextsShowTheOtherSide) {
  EXPECT_EQ(written(rows_of("", "a b c")), "diff  | {-a b c}\n");
  EXPECT_EQ(written(rows_of("a b c", "")), "diff {-a b c} | \n");
}

}  // namespace
}  // namespace twinset

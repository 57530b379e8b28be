#include "faces/text.h"

#include <gtest/gtest.h>

#include <string>

#include "words/documents.h"
#include "words/passages.h"

namespace twinset {
namespace {

std::string compared(const std::string& a, const std::string& b, TextOptions options = {},
                     unsigned width = 3) {
  const Passages found = find_passages(words_of(a), words_of(b), width);
  return compare_text({"a.txt", "b.txt", a, b, found}, options);
}

std::string::size_type find(const std::string& text, const std::string& piece) {
  return text.find(piece);
}

TEST(CompareText, ReadsAsAWhole) {
  EXPECT_EQ(compared("the quick brown fox jumps over the lazy dog",
                     "the quick brown fox leaps over the lazy dog"),
            "A  a.txt\n"
            "   9 words, 8 of them in shared passages\n"
            "B  b.txt\n"
            "   9 words, 8 of them in shared passages\n"
            "\n"
            "resemblance  0.400   4 of 10 shingles of both together\n"
            "A in B       0.571   4 of 7 shingles of A\n"
            "B in A       0.571   4 of 7 shingles of B\n"
            "\n"
            "[-only in A-]  {+only in B+}\n"
            "\n"
            "the quick brown fox [-jumps-] {+leaps+} over the lazy dog\n");
}

TEST(PassagesText, HasNoNumbersAndNoNames) {
  const std::string a = "the quick brown fox jumps over the lazy dog";
  const std::string b = "the quick brown fox leaps over the lazy dog";
  const Passages found = find_passages(words_of(a), words_of(b), 3);
  EXPECT_EQ(passages_text({"a.txt", "b.txt", a, b, found}, {}),
            "\n[-only in A-]  {+only in B+}\n\n"
            "the quick brown fox [-jumps-] {+leaps+} over the lazy dog\n");
}

TEST(CompareText, LongSharedPassagesAreCounted) {
  const std::string common = counted_words(0, 336);
  const std::string out = compared("x " + common + " y", "z " + common + " y2");
  EXPECT_NE(find(out,
                 "[-x-] {+z+} w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 ... 312 shared words ... "
                 "w324 w325"),
            std::string::npos)
      << out;
  EXPECT_EQ(find(out, "w100"), std::string::npos);
}

TEST(CompareText, MovedPassagesAreNumberedAtBothPlaces) {
  const std::string one = counted_words(0, 4), two = counted_words(50, 9);
  const std::string out = compared(one + ' ' + two, two + ' ' + one);
  EXPECT_NE(
      find(out, "[~1: w0 w1 w2 w3~] w50 w51 w52 w53 w54 w55 w56 w57 w58 {~1: w0 w1 w2 w3~}\n"),
      std::string::npos)
      << out;
  EXPECT_NE(find(out, "[~elsewhere in B~]  {~elsewhere in A~}\n"), std::string::npos) << out;
}

TEST(CompareText, ColorOnlyWhenToldSo) {
  EXPECT_EQ(find(compared("a b c d", "a b c e"), "\x1b"), std::string::npos);
  const std::string colored = compared("a b c d", "a b c e", {.color = true});
  EXPECT_NE(find(colored, "\x1b[31m[-d-]\x1b[0m \x1b[32m{+e+}\x1b[0m"), std::string::npos)
      << colored;
}

TEST(CompareText, EqualWordsAndEqualTextsAreTold) {
  EXPECT_NE(find(compared("a b c d", "a b c d"), "The texts are identical.\n"), std::string::npos);
  EXPECT_NE(find(compared("a b c d", "a  b c d"), "The words are the same"), std::string::npos);
  EXPECT_NE(find(compared("a b c d", "a b c d"), "resemblance  1.000"), std::string::npos);
  EXPECT_NE(find(compared("", ""), "Neither document has a word"), std::string::npos);
  EXPECT_NE(find(compared("", "a b c"), "{+a b c+}"), std::string::npos);
}

TEST(CompareText, NumbersOnlyIfAsked) {
  const std::string out = compared("a b c d", "a b c e", {.passages = false});
  EXPECT_EQ(find(out, "[-"), std::string::npos);
  EXPECT_NE(find(out, "resemblance"), std::string::npos);
}

TEST(CompareText, WhatIsLeftOutIsCounted) {
  std::string a, b;
  for (unsigned i = 0; i < 5000; ++i) {
    a += (i % 7 == 0 ? "a" : "w") + std::to_string(i) + ' ';
    b += (i % 7 == 0 ? "b" : "w") + std::to_string(i) + ' ';
  }
  const std::string out = compared(a, b, {.max_bytes = 2000});
  EXPECT_LT(out.size(), 4000u);
  EXPECT_NE(find(out, " passages are not shown ...\n"), std::string::npos) << out;
}

bool is_harmless(const std::string& out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto c = static_cast<std::uint8_t>(out[i]);
    if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f) return false;
    if (c == 0xc2 && static_cast<std::uint8_t>(out[i + 1]) < 0xa0) return false;
  }
  return true;
}

TEST(CompareText, HostileDocumentsAndNamesAreHarmless) {
  for (const std::string& evil : hostile_strings()) {
    const std::string a = "a b c d " + evil, b = evil + " a b c d";
    const Passages found = find_passages(words_of(a), words_of(b), 3);
    ASSERT_TRUE(is_harmless(compare_text({evil, evil, a, b, found}, {})));
    Explanation explanation;
    explanation.document = {evil, evil, 1};
    explanation.reason = evil;
    explanation.survivor = {evil, evil, 2};
    explanation.kind = RemovalKind::near;
    explanation.stands_for = 3;
    explanation.examples = {{{evil, evil, 3}, RemovalKind::near, 0.9, 1}};
    explanation.texts = ComparedTexts{evil, evil, a, b, found};
    using enum Explanation::Fate;
    for (const Explanation::Fate fate : {kept, reference, removed, filtered, quarantined}) {
      explanation.fate = fate;
      ASSERT_TRUE(is_harmless(render_message(Door::plain, explain_text(explanation, {}))));
    }
  }
}

TEST(ExplainText, ARemovedRecordNamesItsSurvivorAndTheProof) {
  const std::string a = "a b c d e f g h", b = "a b c d e f g X";
  const Passages found = find_passages(words_of(a), words_of(b), 3);
  Explanation explanation;
  explanation.document = {"doc-9", "in.jsonl", 1009};
  explanation.fate = Explanation::Fate::removed;
  explanation.kind = RemovalKind::near;
  explanation.threshold = 0.8;
  explanation.survivor = {"doc-1", "in.jsonl", 1};
  explanation.resemblance = 0.8333333333333334;
  explanation.containment = 0.9090909;
  explanation.survivor_containment = 1;
  explanation.texts = ComparedTexts{"doc-1", "doc-9", a, b, found};
  EXPECT_EQ(explain_text(explanation, {}),
            "doc-9\n"
            "in.jsonl, record 1,009\n"
            "\n"
            "removed (near): it resembles\n"
            "  doc-1\n"
            "  in.jsonl, record 1\n"
            "\n"
            "resemblance              0.833\n"
            "this record in survivor  0.909\n"
            "survivor in this record  1.000\n"
            "\n"
            "A is the survivor, B this record.\n"
            "\n"
            "[-only in A-]  {+only in B+}\n"
            "\n"
            "a b c d e f g [-h-] {+X+}\n");
}

TEST(ExplainText, AKeptRecordListsWhatItStandsFor) {
  Explanation explanation;
  explanation.document = {"doc-1", "in.jsonl", 1};
  explanation.stands_for = 12;
  explanation.examples = {{{"doc-7", "in.jsonl", 7}, RemovalKind::near, 0.9996, 1},
                          {{"doc-8", "b.jsonl", 8}, RemovalKind::contained, 0.31, 0.96}};
  EXPECT_EQ(explain_text(explanation, {}),
            "doc-1\n"
            "in.jsonl, record 1\n"
            "\n"
            "kept; it stands for 12 removed records\n"
            "\n"
            "  0.9996  near       doc-7  (in.jsonl, record 7)\n"
            "  0.960   contained  doc-8  (b.jsonl, record 8)\n"
            "  ... 10 more ...\n");
  explanation.stands_for = 0;
  EXPECT_NE(find(explain_text(explanation, {}), "kept; no other record went because of it"),
            std::string::npos);
}

TEST(ExplainText, FilteredAndQuarantinedSayWhy) {
  Explanation explanation;
  explanation.fate = Explanation::Fate::quarantined;
  explanation.reason = "invalid JSON at byte 17";
  EXPECT_NE(find(explain_text(explanation, {}), "quarantined: invalid JSON at byte 17\n"),
            std::string::npos);
  explanation.fate = Explanation::Fate::filtered;
  EXPECT_NE(find(explain_text(explanation, {}), "filtered: "), std::string::npos);
}

}  // namespace
}  // namespace twinset

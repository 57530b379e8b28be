#include "text/canonical.h"

#include <gtest/gtest.h>

#include <string>

#include "text/canonical_table.h"
#include "text/text_samples.h"
#include "text/token_hash.h"
#include "text/unicode_judge.h"
#include "text/unicode_table.h"

namespace twinset {
namespace {

std::string canonical(std::string_view word, LetterCase letter_case = LetterCase::fold) {
  std::string out;
  append_canonical(word, letter_case, out);
  return out;
}

bool is_ignorable(std::uint32_t code_point) {
  return unicode::rule(code_point) == unicode::rules::ignorable;
}

TEST(Canonical, OfSomeWords) {
  EXPECT_EQ(canonical(""), "");
  EXPECT_EQ(canonical("Rose9"), "rose9");
  EXPECT_EQ(canonical("Rose9", LetterCase::keep), "Rose9");
  const std::string acute = utf8_of(0x301), below = utf8_of(0x323);
  EXPECT_EQ(canonical("E" + acute), utf8_of(0xE9));
  EXPECT_EQ(canonical(utf8_of(0xC9)), utf8_of(0xE9));
  EXPECT_EQ(canonical("E" + acute, LetterCase::keep), utf8_of(0xC9));
  EXPECT_EQ(canonical("e" + acute + below), utf8_of({0x1EB9, 0x301})) << "marks are sorted";
  EXPECT_EQ(canonical("Stra" + utf8_of(0xDF) + "e"), "strasse");
  EXPECT_EQ(canonical("STRASSE"), "strasse");
  EXPECT_EQ(canonical(utf8_of(0x212A)), "k");              // Kelvin sign
  EXPECT_EQ(canonical(utf8_of(0xF900)), utf8_of(0x8C48));  // a CJK compatibility ideograph
  EXPECT_EQ(canonical(utf8_of({0x1112, 0x1161, 0x11AB})), utf8_of(0xD55C)) << "jamo";
  EXPECT_EQ(canonical(utf8_of({0xD558, 0x11AB})), utf8_of(0xD55C));
  EXPECT_EQ(canonical(utf8_of({0x304B, 0x3099})), utf8_of(0x304C)) << "ka, voiced";
  EXPECT_EQ(canonical("co" + utf8_of(0xAD) + "op"), "coop") << "a soft hyphen is dropped";
  EXPECT_EQ(canonical("e" + utf8_of(0x200D) + acute), utf8_of(0xE9)) << "and hides nothing";
  EXPECT_EQ(canonical(acute + "a"), "a") << "a mark before the first letter is no part";
  // U+0345 folds to a letter, and is the last of its marks before that.
  EXPECT_EQ(canonical(utf8_of({0x3B1, 0x345, 0x301})), utf8_of({0x3AC, 0x3B9}));
}

TEST(Canonical, HashIsThatOfTheForm) {
  Samples samples(11);
  for (int i = 0; i < 1000; ++i) {
    std::string word = "x";
    for (std::uint64_t left = samples.below(20); left > 0; --left) {
      word += utf8_of(samples.code_point());
    }
    for (const LetterCase letter_case : {LetterCase::fold, LetterCase::keep}) {
      EXPECT_EQ(canonical_hash(word, letter_case), token_hash(canonical(word, letter_case)));
    }
  }
}

TEST(Canonical, ManyMarksAreSortedInTime) {
  std::string word = "a";
  std::string sorted = "a";
  const int marks = sanitized ? 20'000 : 200'000;
  for (int i = 0; i < marks; ++i) word += utf8_of({0x5B1, 0x5B0});
  for (int i = 0; i < marks; ++i) sorted += utf8_of(0x5B0);
  for (int i = 0; i < marks; ++i) sorted += utf8_of(0x5B1);
  EXPECT_TRUE(canonical(word) == sorted);
}

/// utf8proc's form, composed, of a word that begins with a letter, as ours is.
std::string judged(std::string_view word, LetterCase letter_case) {
  return judge::nfc(letter_case == LetterCase::fold ? judge::caseless(word) : std::string(word));
}

// Each assigned code point, beside what it may compose with or trade places with.
TEST(Canonical, EveryAssignedCodePointAsUtf8procHasIt) {
  if (const std::string why = judge::cannot_judge(); !why.empty()) GTEST_SKIP() << why;
  EXPECT_EQ(canonical(utf8_of({0xAC00, 0x11A7})), utf8_of({0xAC00, 0x11A7}));
  int judged_code_points = 0;
  for (std::uint32_t code_point = 1; code_point < 0x110000; code_point += sanitized ? 7 : 1) {
    if (!judge::is_assigned(code_point) || is_ignorable(code_point)) continue;
    if (code_point == unicode::zero_width_space) continue;  // Dropped from a word, as ignorables.
    ++judged_code_points;
    const std::string it = utf8_of(code_point);
    // A word and a space each.
    std::string words = "a" + it + " s" + it + utf8_of(0x323) + " x" + it +
                        utf8_of({0x301, 0x345}) + " x" + utf8_of({0x301, 0x345}) + it + " " +
                        utf8_of(0x1100) + it + " " + utf8_of(0x304B) + it + utf8_of(0x3099) + " ";
    // utf8proc 2.8 drops U+11A7, which is not a jamo tail, after a syllable; Unicode's formula
    // (section 3.12) composes only what is above it.
    if (code_point != 0x11A7) words += utf8_of(0xAC00) + it;
    for (const LetterCase letter_case : {LetterCase::fold, LetterCase::keep}) {
      ASSERT_EQ(canonical(words, letter_case), judged(words, letter_case))
          << std::hex << code_point;
    }
  }
  EXPECT_GT(judged_code_points, sanitized ? 20'000 : 144'000)
      << "Unicode 15.0 has 149,186 characters";
}

TEST(Canonical, RandomWordsAsUtf8procHasThem) {
  Samples samples(12);
  for (int i = 0; i < (sanitized ? 1'000 : 10'000); ++i) {
    std::string word = "q";
    for (std::uint64_t left = 1 + samples.below(12); left > 0; --left) {
      // Letters with marks, and anything.
      const std::uint32_t code_point = samples.below(2) == 0
                                           ? static_cast<std::uint32_t>(0xC0 + samples.below(0x2C0))
                                           : samples.code_point();
      const bool judged_wrongly = code_point == 0x11A7;  // see above
      if (code_point != 0 && !is_ignorable(code_point) && !judged_wrongly)
        word += utf8_of(code_point);
    }
    for (const LetterCase letter_case : {LetterCase::fold, LetterCase::keep}) {
      ASSERT_EQ(canonical(word, letter_case), judged(word, letter_case))
          << testing::PrintToString(word);
    }
  }
}

TEST(Canonical, FormIsItsOwn) {
  Samples samples(13);
  for (int i = 0; i < 3000; ++i) {
    std::string word;
    for (std::uint64_t left = samples.below(12); left > 0; --left) {
      word += utf8_of(samples.code_point());
    }
    for (const LetterCase letter_case : {LetterCase::fold, LetterCase::keep}) {
      const std::string once = canonical(word, letter_case);
      EXPECT_EQ(canonical(once, letter_case), once) << testing::PrintToString(word);
    }
  }
}

}  // namespace
}  // namespace twinset

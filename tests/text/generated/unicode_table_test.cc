#include "text/unicode_table.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <string>

#include "text/canonical.h"
#include "text/text_samples.h"

namespace twinset {
namespace {

using unicode::WordClass;

TEST(UnicodeTable, KnowsSomeCharacters) {
  for (const char c : std::string("abcxyzABCXYZ0123456789")) {
    EXPECT_EQ(unicode::word_class(static_cast<std::uint32_t>(c)), WordClass::word) << c;
  }
  for (const char c : std::string(" \t\n\0_-.,'\"@/\x7F", 14)) {
    EXPECT_EQ(unicode::word_class(static_cast<std::uint32_t>(c)), WordClass::separator) << c;
  }
  EXPECT_EQ(unicode::word_class(0x6F22), WordClass::ideograph);
  EXPECT_EQ(unicode::word_class(0x323AF), WordClass::ideograph);  // the last there is
  EXPECT_EQ(unicode::word_class(0x323B0), WordClass::separator);
  EXPECT_EQ(unicode::word_class(0x18D00), WordClass::ideograph);  // Tangut
  EXPECT_EQ(unicode::word_class(0x1B170), WordClass::ideograph);  // Nushu
  EXPECT_EQ(unicode::word_class(0xAC00), WordClass::word);        // Hangul
  for (const std::uint32_t code_point : {0x3042, 0x30AB, 0x30FC, 0xFF76, 0xFF9E, 0xE01, 0xE33,
                                         0xE81, 0x1000, 0x1780, 0xA984, 0x1B05, 0x1950, 0x11700}) {
    EXPECT_EQ(unicode::word_class(code_point), WordClass::unspaced) << std::hex << code_point;
  }
  EXPECT_EQ(unicode::word_class(0xE51), WordClass::word);   // Thai digit one
  EXPECT_EQ(unicode::word_class(0x3005), WordClass::word);  // a Han letter, no ideograph
  EXPECT_EQ(unicode::word_class(0x0301), WordClass::mark);  // combining acute
  EXPECT_EQ(unicode::word_class(0x0E31), WordClass::mark);
  EXPECT_EQ(unicode::word_class(0x3099), WordClass::mark);
  EXPECT_EQ(unicode::word_class(0x0345), WordClass::mark);
  EXPECT_EQ(unicode::rule(0x0345), unicode::rules::iota);
  EXPECT_EQ(unicode::rule(0x20E3), unicode::rules::keycap);
  EXPECT_EQ(unicode::word_class(0x1F600), WordClass::emoji);
  EXPECT_EQ(unicode::word_class(0x2714), WordClass::emoji);
  EXPECT_EQ(unicode::word_class(0x1F3FB), WordClass::modifier);
  EXPECT_EQ(unicode::word_class(0x1F1E6), WordClass::regional);
  EXPECT_EQ(unicode::word_class(0xA9), WordClass::separator);
  EXPECT_EQ(unicode::word_class(0x00AD), WordClass::ignorable);  // soft hyphen
  EXPECT_EQ(unicode::word_class(0xFEFF), WordClass::ignorable);
  EXPECT_EQ(unicode::word_class(0xE0100), WordClass::ignorable);
  EXPECT_EQ(unicode::word_class(0x200B), WordClass::separator);  // zero width space
  EXPECT_EQ(unicode::word_class(0xFFFD), WordClass::separator);
  EXPECT_EQ(unicode::word_class(0x10FFFF), WordClass::separator);
}

std::string canonical(std::uint32_t code_point) {
  std::string out;
  append_canonical(utf8_of(code_point), LetterCase::fold, out);
  return out;
}

// The rule of a character that is not slow gives its canonical form; text/words_kernel.cc relies on
// that.
TEST(UnicodeTable, RulesTellTheCanonicalForm) {
  int slow = 0, folding = 0;
  for (std::uint32_t code_point = 0; code_point < 0x110000; ++code_point) {
    const std::uint8_t rule = unicode::rule(code_point);
    const bool dropped = rule == unicode::rules::separator || rule == unicode::rules::ignorable ||
                         unicode::word_class(code_point) == WordClass::mark;
    slow += unicode::is_slow(rule) ? 1 : 0;
    if (dropped || unicode::is_slow(rule) || code_point < 0x80) continue;
    const std::uint32_t shift = static_cast<std::uint32_t>(unicode::fold_differences[rule]);
    ASSERT_EQ(canonical(code_point), utf8_of(code_point + shift)) << std::hex << code_point;
    folding += shift != 0 ? 1 : 0;
  }
  EXPECT_GT(folding, 1300);
  EXPECT_LT(slow, 2500);
}

TEST(UnicodeTable, TwoBytesSayTheCanonicalForm) {
  for (std::uint32_t code_point = 0x80; code_point < 0x800; ++code_point) {
    const std::uint32_t entry = unicode::two_bytes[code_point];
    if ((entry & unicode::two_bytes_apart) != 0) continue;
    const WordClass word_class = unicode::word_class(code_point);
    const bool word = (entry & unicode::two_bytes_word) != 0;
    ASSERT_EQ(word, word_class == WordClass::word) << std::hex << code_point;
    ASSERT_TRUE(word || word_class == WordClass::separator) << std::hex << code_point;
    const std::string bytes = word ? canonical(code_point) : utf8_of(code_point);
    ASSERT_EQ(bytes.size(), 2u) << std::hex << code_point;
    ASSERT_EQ(entry & 0xFF, static_cast<std::uint8_t>(bytes[0])) << std::hex << code_point;
    ASSERT_EQ(entry >> 8 & 0xFF, static_cast<std::uint8_t>(bytes[1])) << std::hex << code_point;
  }
  for (std::uint32_t code_point = 0; code_point < 0x80; ++code_point) {
    ASSERT_TRUE(unicode::two_bytes[code_point] & unicode::two_bytes_apart);
  }
  EXPECT_FALSE(unicode::two_bytes[0xDF] & unicode::two_bytes_apart) << "sharp s is ss in place";
}

TEST(UnicodeTable, PlainPairsHoldNothingToLookUp) {
  int plain = 0;
  for (std::uint32_t begin = 0; begin < 0x800; begin += 16) {
    const unsigned bit = begin / 16 % 4 + (begin >= 0x400 ? 4 : 0);
    bool expected = begin >= 0x80;
    for (std::uint32_t i = begin; i < begin + 16; ++i) {
      expected &= unicode::rule(i) == unicode::rules::word;
    }
    EXPECT_EQ((unicode::plain_pairs[begin / 64 % 16] >> bit & 1) != 0, expected) << begin;
    plain += expected ? 1 : 0;
  }
  EXPECT_GT(plain, 25);
}

/// Calls `take` with each range and property of a file of the database.
void read_properties(
    const std::string& path,
    const std::function<void(std::uint32_t, const std::string&, const std::string&)>& take) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    line = line.substr(0, line.find('#'));
    std::istringstream fields(line);
    std::string range, property, rest;
    if (!std::getline(fields, range, ';') || !std::getline(fields, property, ';')) continue;
    std::getline(fields, rest, ';');
    std::erase(property, ' ');
    const std::size_t dots = range.find("..");
    const unsigned long first = std::stoul(range, nullptr, 16);
    const unsigned long last =
        dots == std::string::npos ? first : std::stoul(range.substr(dots + 2), nullptr, 16);
    for (unsigned long i = first; i <= last; ++i) {
      take(static_cast<std::uint32_t>(i), property, rest);
    }
  }
}

/// Compares every code point with the database, which is read here by other code than the
/// generator's. Debian has it in the package unicode-data.
TEST(UnicodeTable, IsTheDatabaseWhereThatIsInstalled) {
  const std::string folder = "/usr/share/unicode/";
  std::string first_line;
  std::ifstream folding(folder + "CaseFolding.txt");
  std::getline(folding, first_line);
  if (first_line != "# CaseFolding-" + std::string(unicode::version) + ".txt") {
    GTEST_SKIP() << "no Unicode " << unicode::version << " in " << folder;
  }
  std::set<std::uint32_t> pictographic, modifier, word, letter, mark, unspaced, extended, ideograph,
      ignorable;
  read_properties(folder + "DerivedCoreProperties.txt",
                  [&](std::uint32_t code_point, const std::string& property, const std::string&) {
                    if (property == "Alphabetic") word.insert(code_point);
                    if (property == "Default_Ignorable_Code_Point") ignorable.insert(code_point);
                  });
  read_properties(folder + "extracted/DerivedGeneralCategory.txt",
                  [&](std::uint32_t code_point, const std::string& property, const std::string&) {
                    if (property[0] == 'L') letter.insert(code_point);
                    if (property[0] == 'N') word.insert(code_point);
                    if (property[0] == 'M') mark.insert(code_point);
                  });
  read_properties(folder + "PropList.txt",
                  [&](std::uint32_t code_point, const std::string& property, const std::string&) {
                    if (property == "Ideographic") ideograph.insert(code_point);
                  });
  read_properties(folder + "emoji/emoji-data.txt",
                  [&](std::uint32_t code_point, const std::string& property, const std::string&) {
                    if (property == "Extended_Pictographic") pictographic.insert(code_point);
                    if (property == "Emoji_Modifier") modifier.insert(code_point);
                  });
  pictographic.insert(0x21AE);  // an arrow that is one, and a stroke
  for (const std::uint32_t sign : {0xA9, 0xAE, 0x2122, 0x3030, 0x303D}) pictographic.erase(sign);
  const std::string short_names =
      "Thai Laoo Khmr Mymr Java Bali Hira Kana Tale Talu Lana Tavt Ahom";
  std::ifstream extensions(folder + "ScriptExtensions.txt");
  for (std::string line; std::getline(extensions, line);) {
    const std::size_t semicolon = line.find(';');
    if (line.starts_with('#') || semicolon == std::string::npos) continue;
    const std::size_t dots = line.find("..");
    const unsigned long first = std::stoul(line, nullptr, 16);
    const unsigned long last =
        dots < semicolon ? std::stoul(line.substr(dots + 2), nullptr, 16) : first;
    std::istringstream scripts(line.substr(semicolon + 1, line.find('#') - semicolon - 1));
    bool found = false;
    for (std::string script; scripts >> script;) {
      found |= short_names.find(script) != std::string::npos;
    }
    for (unsigned long i = first; i <= last; ++i) {
      extended.insert(static_cast<std::uint32_t>(i));
      if (found) unspaced.insert(static_cast<std::uint32_t>(i));
    }
  }
  const std::set<std::string> long_names{
      "Thai",     "Lao",    "Khmer",       "Myanmar",  "Javanese", "Balinese", "Hiragana",
      "Katakana", "Tai_Le", "New_Tai_Lue", "Tai_Tham", "Tai_Viet", "Ahom"};
  read_properties(folder + "Scripts.txt",
                  [&](std::uint32_t code_point, const std::string& script, const std::string&) {
                    if (long_names.contains(script) && !extended.contains(code_point)) {
                      unspaced.insert(code_point);
                    }
                  });
  ignorable.erase(0x200B);
  ASSERT_GT(unspaced.size(), 1000u);
  for (std::uint32_t code_point = 0; code_point < 0x110000; ++code_point) {
    const bool is_word = word.contains(code_point);
    const WordClass expected =
        ignorable.contains(code_point)   ? WordClass::ignorable
        : ideograph.contains(code_point) ? WordClass::ideograph
        : mark.contains(code_point)      ? WordClass::mark
        : is_word && letter.contains(code_point) && unspaced.contains(code_point)
            ? WordClass::unspaced
        : is_word                                        ? WordClass::word
        : pictographic.contains(code_point)              ? WordClass::emoji
        : modifier.contains(code_point)                  ? WordClass::modifier
        : code_point >= 0x1F1E6 && code_point <= 0x1F1FF ? WordClass::regional
                                                         : WordClass::separator;
    ASSERT_EQ(unicode::word_class(code_point), expected) << std::hex << code_point;
  }
}

}  // namespace
}  // namespace twinset

#include "text/unicode_table.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>

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
  EXPECT_EQ(unicode::word_class(0x3042), WordClass::word);       // hiragana
  EXPECT_EQ(unicode::word_class(0x0E01), WordClass::word);       // Thai
  EXPECT_EQ(unicode::word_class(0x0301), WordClass::word);       // combining acute
  EXPECT_EQ(unicode::word_class(0x00AD), WordClass::ignorable);  // soft hyphen
  EXPECT_EQ(unicode::word_class(0xFEFF), WordClass::ignorable);
  EXPECT_EQ(unicode::word_class(0xE0100), WordClass::ignorable);
  EXPECT_EQ(unicode::word_class(0x200B), WordClass::separator);  // zero width space
  EXPECT_EQ(unicode::word_class(0xFFFD), WordClass::separator);
  EXPECT_EQ(unicode::word_class(0x10FFFF), WordClass::separator);
  EXPECT_EQ(unicode::fold('A'), 'a');
  EXPECT_EQ(unicode::fold(0x0416), 0x0436u);
  EXPECT_EQ(unicode::fold(0x03C2), 0x03C3u);  // final sigma
  EXPECT_EQ(unicode::fold(0x212A), 'k');      // Kelvin sign
  EXPECT_EQ(unicode::fold(0x0130), 0x0130u);  // folds only to two, or in Turkish
}

TEST(UnicodeTable, FoldingIsIdempotentAndStaysAWord) {
  for (std::uint32_t code_point = 0; code_point < 0x110000; ++code_point) {
    const std::uint32_t folded = unicode::fold(code_point);
    ASSERT_EQ(unicode::fold(folded), folded) << std::hex << code_point;
    if (folded != code_point) {
      ASSERT_EQ(unicode::word_class(code_point), WordClass::word) << std::hex << code_point;
      ASSERT_EQ(unicode::word_class(folded), WordClass::word) << std::hex << code_point;
    }
  }
}

TEST(UnicodeTable, TwoBytesSayWhatTheRulesSay) {
  for (std::uint32_t code_point = 0; code_point < 0x800; ++code_point) {
    const std::uint32_t entry = unicode::two_bytes[code_point];
    const std::uint32_t folded = unicode::fold(code_point);
    const WordClass word_class = unicode::word_class(code_point);
    const bool apart = code_point < 0x80 || folded < 0x80 || folded >= 0x800 ||
                       word_class == WordClass::ignorable || word_class == WordClass::ideograph;
    ASSERT_EQ((entry & unicode::two_bytes_apart) != 0, apart) << std::hex << code_point;
    if (apart) continue;
    ASSERT_EQ((entry & unicode::two_bytes_word) != 0, word_class == WordClass::word);
    const std::string bytes = utf8_of(folded);
    ASSERT_EQ(entry & 0xFF, static_cast<std::uint8_t>(bytes[0])) << std::hex << code_point;
    ASSERT_EQ(entry >> 8 & 0xFF, static_cast<std::uint8_t>(bytes[1])) << std::hex << code_point;
  }
}

TEST(UnicodeTable, PlainPairsHoldNothingToLookUp) {
  int plain = 0;
  for (std::uint32_t begin = 0; begin < 0x800; begin += 16) {
    const unsigned bit = begin / 16 % 4 + (begin >= 0x400 ? 4 : 0);
    bool expected = begin >= 0x80;
    for (std::uint32_t i = begin; i < begin + 16; ++i) {
      expected &= unicode::word_class(i) == WordClass::word && unicode::fold(i) == i;
    }
    EXPECT_EQ((unicode::plain_pairs[begin / 64 % 16] >> bit & 1) != 0, expected) << begin;
    plain += expected ? 1 : 0;
  }
  EXPECT_GT(plain, 30);
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

/// Every code point against the database, read here by other code than the
/// generator's. Debian has it in the package unicode-data.
TEST(UnicodeTable, IsTheDatabaseWhereThatIsInstalled) {
  const std::string folder = "/usr/share/unicode/";
  std::string first_line;
  std::ifstream folding(folder + "CaseFolding.txt");
  std::getline(folding, first_line);
  if (first_line != "# CaseFolding-" + std::string(unicode::version) + ".txt") {
    GTEST_SKIP() << "no Unicode " << unicode::version << " in " << folder;
  }
  std::set<std::uint32_t> word, ideograph, ignorable;
  std::map<std::uint32_t, std::uint32_t> folded;
  read_properties(folder + "DerivedCoreProperties.txt",
                  [&](std::uint32_t code_point, const std::string& property, const std::string&) {
                    if (property == "Alphabetic") word.insert(code_point);
                    if (property == "Default_Ignorable_Code_Point") ignorable.insert(code_point);
                  });
  read_properties(folder + "extracted/DerivedGeneralCategory.txt",
                  [&](std::uint32_t code_point, const std::string& property, const std::string&) {
                    if (property[0] == 'N' || property[0] == 'M') word.insert(code_point);
                  });
  read_properties(folder + "PropList.txt",
                  [&](std::uint32_t code_point, const std::string& property, const std::string&) {
                    if (property == "Ideographic") ideograph.insert(code_point);
                  });
  read_properties(
      folder + "CaseFolding.txt",
      [&](std::uint32_t code_point, const std::string& status, const std::string& target) {
        if (status == "C" || status == "S") {
          folded[code_point] = static_cast<std::uint32_t>(std::stoul(target, nullptr, 16));
        }
      });
  ignorable.erase(0x200B);
  ASSERT_GT(folded.size(), 1400u);
  for (std::uint32_t code_point = 0; code_point < 0x110000; ++code_point) {
    const WordClass expected = ignorable.contains(code_point)   ? WordClass::ignorable
                               : ideograph.contains(code_point) ? WordClass::ideograph
                               : word.contains(code_point)      ? WordClass::word
                                                                : WordClass::separator;
    ASSERT_EQ(unicode::word_class(code_point), expected) << std::hex << code_point;
    const auto target = folded.find(code_point);
    ASSERT_EQ(unicode::fold(code_point), target == folded.end() ? code_point : target->second)
        << std::hex << code_point;
  }
}

}  // namespace
}  // namespace twinset

// Character references: the text of each and the number of bytes it takes.
#include "text/html_character.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/tries.h"
#include "text/html_entities.h"
#include "text/text_samples.h"

namespace twinset::html {
namespace {

using Read = std::pair<std::string, std::size_t>;

Read read(std::string_view source, ReferencePlace place = ReferencePlace::text) {
  const TightText tight(source, 0);
  const CharacterReference found = read_character_reference(tight.view(), place);
  return {std::string(found.text()), found.source_bytes};
}

const Read none{"", 0};

TEST(HtmlCharacter, EveryNameInEveryWay) {
  for (const Entity& entity : entities) {
    const std::string name = "&" + std::string(entity_name(entity));
    const std::string text(entity.text());
    EXPECT_EQ(read(name + ";"), (Read{text, name.size() + 1}));
    EXPECT_EQ(read(name + ";x"), (Read{text, name.size() + 1}));
    EXPECT_EQ(read(name + ";", ReferencePlace::attribute), (Read{text, name.size() + 1}));
    if (!entity.without_semicolon) continue;
    EXPECT_EQ(read(name), (Read{text, name.size()}));
    EXPECT_EQ(read(name + " "), (Read{text, name.size()}));
    EXPECT_EQ(read(name, ReferencePlace::attribute), (Read{text, name.size()}));
    EXPECT_EQ(read(name + "=", ReferencePlace::attribute), none);
    EXPECT_EQ(read(name + "9", ReferencePlace::attribute), none);
  }
}

// The longest name of the table that the source begins with, found by trying all.
Read longest_name(std::string_view source) {
  Read best = none;
  for (const Entity& entity : entities) {
    const std::string name = "&" + std::string(entity_name(entity));
    if (source.starts_with(name + ";") && name.size() + 1 > best.second) {
      best = {std::string(entity.text()), name.size() + 1};
    } else if (entity.without_semicolon && source.starts_with(name) && name.size() > best.second) {
      best = {std::string(entity.text()), name.size()};
    }
  }
  return best;
}

TEST(HtmlCharacter, TheLongestNameWins) {
  Samples samples(1);
  for (int i = 0; i < tries(3000); ++i) {
    std::string source = "&" + std::string(entity_name(entities[samples.below(entity_count)]));
    if (samples.below(2) != 0) source.resize(1 + samples.below(source.size()));
    source += std::vector<std::string>{";", "", "x", "it;", "1;", " ;", "&"}[samples.below(7)];
    EXPECT_EQ(read(source), longest_name(source)) << source;
  }
}

TEST(HtmlCharacter, Numbers) {
  for (std::uint32_t number = 1; number < 0x110000; number += number < 0x3000 ? 1 : 997) {
    if ((number >= 0x80 && number < 0xA0) || (number >= 0xD800 && number < 0xE000)) continue;
    const std::string decimal = "&#" + std::to_string(number);
    EXPECT_EQ(read(decimal + ";"), (Read{utf8_of(number), decimal.size() + 1}));
    EXPECT_EQ(read(decimal + "g"), (Read{utf8_of(number), decimal.size()}));
  }
  EXPECT_EQ(read("&#x1F600;"), (Read{utf8_of(0x1F600), 9}));
  EXPECT_EQ(read("&#X1f600"), (Read{utf8_of(0x1F600), 8}));
}

TEST(HtmlCharacter, NumbersThatAreNoCharacters) {
  for (const char* source : {"&#0;", "&#xD800;", "&#xDFFF;", "&#x110000;", "&#xFFFFFFFF;",
                             "&#4294967361;", "&#x100000041;", "&#18446744073709551681;"}) {
    EXPECT_EQ(read(source), (Read{utf8_of(0xFFFD), std::string(source).size()})) << source;
  }
  const std::string long_one = "&#x" + std::string(100'000, '0') + "41;";
  EXPECT_EQ(read(long_one), (Read{"A", long_one.size()}));
}

TEST(HtmlCharacter, Windows1252) {
  EXPECT_EQ(read("&#128;").first, utf8_of(0x20AC));
  EXPECT_EQ(read("&#130;").first, utf8_of(0x201A));
  EXPECT_EQ(read("&#x91;").first, utf8_of(0x2018));
  EXPECT_EQ(read("&#x92;").first, utf8_of(0x2019));
  EXPECT_EQ(read("&#151;").first, utf8_of(0x2014));
  EXPECT_EQ(read("&#159;").first, utf8_of(0x178));
  for (const int left : {0x81, 0x8D, 0x8F, 0x90, 0x9D}) {
    EXPECT_EQ(read("&#" + std::to_string(left) + ";").first,
              utf8_of(static_cast<std::uint32_t>(left)));
  }
}

TEST(HtmlCharacter, WhatIsNone) {
  for (const char* source : {"&", "&;", "& ", "&#", "&#;", "&#x", "&#x;", "&#xg", "&#a", "&a",
                             "&nosuch;", "&hellip", "&Amp;", "&\xC3\xA4;", "&&amp;"}) {
    EXPECT_EQ(read(source), none) << source;
  }
}

}  // namespace
}  // namespace twinset::html

// What characters look like: strings of UTF-8 that look like themselves.
#include "text/skeleton_table.h"

#include <gtest/gtest.h>

#include <string>

#include "text/utf8.h"

namespace twinset {
namespace {

std::string look_of(std::uint32_t code_point) {
  const std::uint16_t place = unicode::skeleton(code_point);
  return place >= unicode::skeleton_mark ? "" : std::string(unicode::skeleton_string(place));
}

TEST(SkeletonTable, HasTheExamplesOfUTS39) {
  EXPECT_EQ(look_of(0x430), "a") << "Cyrillic a";
  EXPECT_EQ(look_of(0x3C1), "p") << "Greek rho";
  EXPECT_EQ(look_of(0x1D42F), "v") << "mathematical bold v";
  EXPECT_EQ(look_of(0xFF41), "a") << "full-width a";
  EXPECT_EQ(look_of(0x131), "i") << "dotless i";
  EXPECT_EQ(look_of(0x4CF), "i") << "palochka, which looks like l";
  EXPECT_EQ(look_of(0xE6), "ae");
  EXPECT_EQ(look_of(0x271), "m") << "m with a hook, not rn";
  EXPECT_EQ(unicode::skeleton(0x200B), unicode::skeleton_dropped);
  EXPECT_EQ(unicode::skeleton(0xE0041), unicode::skeleton_dropped) << "a tag";
  EXPECT_EQ(unicode::skeleton(0x301), unicode::skeleton_dropped);
  EXPECT_EQ(unicode::skeleton(0x93F), unicode::skeleton_mark);
  EXPECT_EQ(unicode::skeleton(0x3099), unicode::skeleton_mark);
  EXPECT_EQ(unicode::skeleton(0x4E00), unicode::skeleton_stays);
  EXPECT_EQ(unicode::skeleton(0xAC00), unicode::skeleton_stays);
  EXPECT_EQ(unicode::skeleton(0x10FFFF), unicode::skeleton_stays);
}

TEST(SkeletonTable, EachStringStays) {
  int characters = 0;
  for (std::uint32_t code_point = 0x80; code_point < unicode::skeleton_end; ++code_point) {
    const std::uint16_t place = unicode::skeleton(code_point);
    if (place == unicode::skeleton_stays || place >= unicode::skeleton_mark) continue;
    ++characters;
    const std::string seen(unicode::skeleton_string(place));
    EXPECT_EQ(seen.find("rn"), std::string::npos) << std::hex << code_point;
    EXPECT_EQ(seen.find('l'), std::string::npos) << std::hex << code_point;
    // What it is replaced by stays.
    for (std::size_t at = 0; at < seen.size();) {
      const utf8::Decoded part = utf8::decode(seen, at);
      at += part.bytes;
      if (part.code_point < 0x80) continue;
      const std::uint16_t again = unicode::skeleton(part.code_point);
      EXPECT_TRUE(again == unicode::skeleton_stays || again == unicode::skeleton_mark)
          << std::hex << code_point << ' ' << part.code_point;
    }
  }
  EXPECT_GT(characters, 5000);
}

}  // namespace
}  // namespace twinset

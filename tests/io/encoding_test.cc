#include "io/encoding.h"

#include <gtest/gtest.h>

#include <string>

namespace twinset {
namespace {

using namespace std::string_literals;

std::string decoded(const std::string& bytes) {
  std::string room(decoded_room(bytes.size()), '\0');
  return std::string(decode_text(marked_encoding(bytes), bytes, room.data()));
}

TEST(Encoding, AMarkTells) {
  EXPECT_EQ(marked_encoding(""), Encoding::utf8);
  EXPECT_EQ(marked_encoding("\xef\xbb\xbfx"), Encoding::utf8);
  EXPECT_EQ(marked_encoding("\xff\xfex\0"s), Encoding::utf16_le);
  EXPECT_EQ(marked_encoding("\xfe\xff\0x"s), Encoding::utf16_be);
  EXPECT_EQ(marked_encoding("\xff\xfe\0\0"s), Encoding::utf32_le);
  EXPECT_EQ(marked_encoding("\0\0\xfe\xff"s), Encoding::utf32_be);
  EXPECT_EQ(encoding_name(Encoding::utf16_be), "UTF-16");
}

TEST(Encoding, DecodesBothByteOrders) {
  EXPECT_EQ(decoded("\xff\xfeh\0\xe9\0\xac\x20\x3d\xd8\x00\xde"s),
            "h\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_EQ(decoded("\xfe\xff\0h\0\xe9\x20\xac\xd8\x3d\xde\x00"s),
            "h\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_EQ(decoded("\xff\xfe\0\0h\0\0\0\0\xf6\1\0"s), "h\xf0\x9f\x98\x80");
  EXPECT_EQ(decoded("\0\0\xfe\xff\0\0\0h\0\1\xf6\0"s), "h\xf0\x9f\x98\x80");
  EXPECT_EQ(decoded("\xef\xbb\xbfplain\xff"), "plain\xff");
}

// Halves of pairs, values out of range, a cut-off end: each becomes U+FFFD, within the room.
TEST(Encoding, WhatIsDamagedIsReplaced) {
  const std::string bad = "\xef\xbf\xbd";
  EXPECT_EQ(decoded("\xff\xfe\x3d\xd8x\0"s), bad + "x");
  EXPECT_EQ(decoded("\xff\xfe\x00\xde\x3d\xd8"s), bad + bad);
  EXPECT_EQ(decoded("\xff\xfex\0y"s), "x" + bad);
  EXPECT_EQ(decoded("\xff\xfe\0\0\0\0\x11\0x"s), bad + bad);
  EXPECT_EQ(decoded("\0\0\xfe\xff\0\0\xd8\0"s), bad);
  for (std::size_t size = 2; size < 40; ++size) {
    std::string bytes = "\xff\xfe" + std::string(size, '\x80');
    EXPECT_LE(decoded(bytes).size(), decoded_room(bytes.size())) << size;
  }
}

}  // namespace
}  // namespace twinset

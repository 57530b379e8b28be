#include "sketch/signature_text.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

std::string json_of(Tells tells, const std::vector<std::uint8_t>& stored) {
  std::string out;
  append_signature_json(out, tells, stored);
  return out;
}

TEST(SignatureText, ADistanceIsHexOfTheBits) {
  EXPECT_EQ(json_of(Tells::distance, {1, 0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01}),
            "\"0123456789abcdef\"");
  std::vector<std::uint8_t> wide(17);
  wide[0] = 1;
  wide[1] = 2;
  wide[16] = 0x80;
  EXPECT_EQ(json_of(Tells::distance, wide), "\"00000000000000028000000000000000\"");
}

TEST(SignatureText, CoordinatesAreAnArrayOfHex) {
  std::vector<std::uint8_t> three(24);
  three[0] = 1;
  three[23] = 0xf0;
  EXPECT_EQ(json_of(Tells::coordinate, three), R"(["0000000000000001", null, "f000000000000000"])");
}

// The test vectors of RFC 4648, section 10.
TEST(SignatureText, OtherFormsAreBase64) {
  const auto base64 = [](std::string_view bytes) {
    return json_of(Tells::resemblance, {bytes.begin(), bytes.end()});
  };
  EXPECT_EQ(base64("f"), "\"Zg==\"");
  EXPECT_EQ(base64("fo"), "\"Zm8=\"");
  EXPECT_EQ(base64("foo"), "\"Zm9v\"");
  EXPECT_EQ(base64("foob"), "\"Zm9vYg==\"");
  EXPECT_EQ(base64("fooba"), "\"Zm9vYmE=\"");
  EXPECT_EQ(base64("foobar"), "\"Zm9vYmFy\"");
  EXPECT_EQ(json_of(Tells::nothing, {0xff, 0xfe, 0xfd}), "\"//79\"");
}

TEST(SignatureText, NoSignatureIsNull) {
  for (const Tells tells :
       {Tells::resemblance, Tells::distance, Tells::coordinate, Tells::nothing}) {
    EXPECT_EQ(json_of(tells, {}), "null");
  }
}

TEST(SignatureText, HexWordsAreReadBackAndNothingElse) {
  std::vector<std::uint64_t> words;
  EXPECT_TRUE(read_hex_words("0123456789abcdef8000000000000001", words));
  EXPECT_EQ(words, (std::vector<std::uint64_t>{0x0123456789abcdef, 0x8000000000000001}));
  for (const char* other : {"", "0123", "0123456789abcdeg", "0123456789abcdef0", "-123456789abcdef",
                            "0x23456789abcdef", "+123456789abcdef"}) {
    EXPECT_FALSE(read_hex_words(other, words)) << other;
  }
}

}  // namespace
}  // namespace twinset

#include "base/base64.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

std::string written(std::string_view bytes) {
  std::string out;
  append_base64(out, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  return out;
}

TEST(Base64, WritesTheExamplesOfRfc4648AndReadsThem) {
  const std::pair<const char*, const char*> examples[] = {{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : examples) {
    EXPECT_EQ(written(bytes), text);
    EXPECT_EQ(from_base64(text), bytes);
  }
}

TEST(Base64, EveryByteComesBackAndPaddingMayBeMissing) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  EXPECT_EQ(from_base64(written(bytes)), bytes);
  EXPECT_EQ(from_base64("Zm9vYg"), "foob");
  EXPECT_EQ(from_base64("a*"), std::nullopt);
  for (int c = 0; c < 256; ++c) {
    const std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::string text{'Z', static_cast<char>(c), 'Z'};
    EXPECT_EQ(from_base64(text).has_value(), digits.find(text[1]) != std::string_view::npos) << c;
  }
  // After what the string has.
  std::string out = "a ";
  append_base64(out, {});
  const std::uint8_t byte = 0xff;
  append_base64(out, {&byte, 1});
  EXPECT_EQ(out, "a /w==");
}

}  // namespace
}  // namespace twinset

#include "base/sha1.h"

#include <gtest/gtest.h>

#include <string>

namespace twinset {
namespace {

std::string hex_sha1(std::string_view bytes) {
  std::string hex;
  for (const std::uint8_t byte : sha1(bytes)) {
    hex += "0123456789abcdef"[byte >> 4];
    hex += "0123456789abcdef"[byte & 15];
  }
  return hex;
}

// The examples of FIPS 180 and of RFC 3174.
TEST(Sha1, GivesTheStandardsDigests) {
  EXPECT_EQ(hex_sha1(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(hex_sha1("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(hex_sha1("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(hex_sha1(std::string(1000000, 'a')), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

// Lengths that need a further block and lengths that do not: a digest of all.
TEST(Sha1, PadsEveryLength) {
  std::string digests;
  for (std::size_t length = 0; length < 200; ++length) {
    digests += hex_sha1(std::string(length, static_cast<char>(length)));
  }
  EXPECT_EQ(hex_sha1(digests), "991e1bb8b7f5b4eab0b03a01a9976a71b5b33e78");
}

}  // namespace
}  // namespace twinset

#include "base/sha256.h"

#include <gtest/gtest.h>

#include <string>

namespace twinset {
namespace {

std::string hex_sha256(std::string_view bytes) {
  std::string hex;
  for (const std::uint8_t byte : sha256(bytes)) {
    hex += "0123456789abcdef"[byte >> 4];
    hex += "0123456789abcdef"[byte & 15];
  }
  return hex;
}

// The examples of FIPS 180 and of its validation system.
TEST(Sha256, GivesTheStandardsDigests) {
  EXPECT_EQ(hex_sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex_sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex_sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex_sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  EXPECT_EQ(hex_sha256("\xBD"), "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b");
}

// Lengths that need a further block and lengths that do not: a digest of all, by hashlib.
TEST(Sha256, PadsEveryLength) {
  std::string digests;
  for (std::size_t length = 0; length < 200; ++length) {
    digests += hex_sha256(std::string(length, static_cast<char>(length)));
  }
  EXPECT_EQ(hex_sha256(digests),
            "c86ce814ed1233ab1d4b273da1b6b13765cd39e72e81ce941452479e70ff1b10");
}

}  // namespace
}  // namespace twinset

#include "scheme/secret_key.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "system/memory_files.h"

namespace twinset {
namespace {

Result<SecretKey> loaded(const std::string& content) {
  MemoryFiles files;
  EXPECT_TRUE(files.write("key", content).ok());
  return SecretKey::load(files, "key");
}

TEST(SecretKey, IsReadFrom32HexadecimalDigits) {
  const SecretKey key = loaded("00112233445566778899aabbccddeeff").value();
  for (std::size_t i = 0; i < key.bytes.size(); ++i) EXPECT_EQ(key.bytes[i], 0x11 * i);
  EXPECT_EQ(loaded(" \t00112233445566778899AABBCCDDEEFF\r\n").value().bytes, key.bytes);
  const std::string digits = "0123456789abcdef0123456789abcdef";
  for (const std::string& bad :
       {std::string(), std::string("\n"), digits.substr(1), digits + "0", "0x" + digits.substr(2),
        digits.substr(0, 16) + " " + digits.substr(17), digits + "\n" + digits}) {
    const Result<SecretKey> refused = loaded(bad);
    ASSERT_FALSE(refused.ok()) << bad;
    EXPECT_EQ(refused.error().code, ErrorCode::usage);
    EXPECT_EQ(refused.error().message.find("123456"), std::string::npos)
        << "a message goes into logs: it must not tell what may be a secret";
  }
  MemoryFiles none;
  EXPECT_EQ(SecretKey::load(none, "key").error().code, ErrorCode::io);
}

TEST(SecretKey, NumbersDependOnKeyPurposeAndCounter) {
  std::set<std::uint64_t> numbers;
  for (const std::uint64_t seed : {1U, 2U}) {
    const SecretKey key = SecretKey::of_seed(seed);
    for (const char* purpose : {"a", "b", "ab"}) {
      for (const std::uint64_t counter : {0, 1, 256}) numbers.insert(key.number(purpose, counter));
    }
    numbers.insert(key.name().high);
    numbers.insert(key.name().low);
  }
  EXPECT_EQ(numbers.size(), 22U);
}

TEST(SecretKey, SeedsOfAllBitsAreKeysOfTheirOwn) {
  std::set<std::uint64_t> names;
  for (unsigned bit = 0; bit < 64; ++bit) {
    names.insert(SecretKey::of_seed(std::uint64_t{1} << bit).name().high);
  }
  EXPECT_EQ(names.size(), 64U);
}

}  // namespace
}  // namespace twinset

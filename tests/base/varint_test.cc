#include "base/varint.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace twinset {
namespace {

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

TEST(Varint, IsReadAsItWasWritten) {
  std::string all;
  std::vector<std::uint64_t> numbers{0, 1, 127, 128, 300, UINT64_MAX};
  for (unsigned bit = 0; bit < 64; ++bit) numbers.push_back((std::uint64_t{1} << bit) - 1);
  for (const std::uint64_t number : numbers) append_varint(number, all);
  std::span<const std::uint8_t> rest = bytes_of(all);
  for (const std::uint64_t number : numbers) {
    std::uint64_t value = 0;
    ASSERT_TRUE(take_varint(rest, value));
    EXPECT_EQ(value, number);
  }
  EXPECT_TRUE(rest.empty());
}

TEST(Varint, ANumberIsSevenBitsAByteLowOnesFirst) {
  std::string bytes;
  append_varint(300, bytes);
  EXPECT_EQ(bytes, "\xac\x02");
}

TEST(Varint, ACutOrTooLargeOneIsRefused) {
  for (const std::string& bytes : {std::string(), std::string("\x80"), std::string(11, '\xff'),
                                   std::string(9, '\xff') + "\x02"}) {
    std::span<const std::uint8_t> rest = bytes_of(bytes);
    std::uint64_t value = 0;
    EXPECT_FALSE(take_varint(rest, value)) << bytes.size();
  }
}

TEST(Varint, FixedNumbersBeginWithTheLowByte) {
  EXPECT_EQ(little_endian(""), 0U);
  EXPECT_EQ(little_endian("\x2c\x01"), 300U);
  EXPECT_EQ(little_endian("\xff\xff\xff\xff\xff\xff\xff\xff"), UINT64_MAX);
}

}  // namespace
}  // namespace twinset

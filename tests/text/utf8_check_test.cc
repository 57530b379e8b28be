// The vector check against the reference, at every level and place in a block.
#include "text/utf8_check.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/cpu.h"
#include "text/text_samples.h"

namespace twinset {
namespace {

using namespace std::string_literals;

class Utf8Check : public testing::TestWithParam<SimdLevel> {
 protected:
  void SetUp() override { ASSERT_TRUE(limit_simd(GetParam()).ok()); }
  void TearDown() override { ASSERT_TRUE(limit_simd(supported_simd_levels().back()).ok()); }

  /// In memory of just its size, so that a sanitizer sees reads beyond it.
  static bool check(const std::string& bytes) {
    const std::unique_ptr<char[]> copy(new char[bytes.size()]);
    bytes.copy(copy.get(), bytes.size());
    return is_utf8({copy.get(), bytes.size()});
  }
};
INSTANTIATE_TEST_SUITE_P(Levels, Utf8Check, testing::ValuesIn(supported_simd_levels()),
                         [](const auto& level) {
                           return std::string(simd_level_name(level.param));
                         });

TEST_P(Utf8Check, SequencesOfEveryKindAtEveryPlace) {
  const std::vector<std::string> good{"",
                                      "a",
                                      "\xc3\xa9",
                                      "\xe2\x82\xac",
                                      "\xf0\x9f\x98\x80",
                                      "\xed\x9f\xbf",
                                      "\xf4\x8f\xbf\xbf",
                                      "\xe0\xa0\x80",
                                      "\0"s};
  const std::vector<std::string> bad{
      "\x80",         "\xbf",         "\xc0\x80",         "\xc1\xbf",         "\xc3",
      "\xe0\x9f\xbf", "\xed\xa0\x80", "\xe2\x82",         "\xe2\x82z",        "\xe2",
      "\xf0\x9f\x98", "\xf5\x80\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xff",
      "\xfe",         "\xc3\xa9\xa9", "\xc3\xc3\xa9",     "\xf0\x9f\x98z"};
  for (std::size_t before = 0; before < 140; ++before) {
    for (const std::string& filler : {"a"s, "\xd0\xb0"s, "\xe4\xb8\xad"s}) {
      std::string text;
      while (text.size() < before) text += filler;
      for (const std::string& each : good) {
        ASSERT_TRUE(check(text + each));
        ASSERT_TRUE(check(text + each + filler));
      }
      for (const std::string& each : bad) {
        ASSERT_FALSE(check(text + each)) << before << testing::PrintToString(each);
        ASSERT_FALSE(check(text + each + "z")) << before << testing::PrintToString(each);
        ASSERT_FALSE(check(text + each + std::string(100, 'z'))) << before;
      }
    }
  }
}

TEST_P(Utf8Check, EveryPairAndManyTriplesOfBytes) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      for (const int third : {0x61, 0x7f, 0x80, 0x9f, 0xbf, 0xc2, 0xff}) {
        const std::string bytes{static_cast<char>(first), static_cast<char>(second),
                                static_cast<char>(third)};
        ASSERT_EQ(check(bytes), is_utf8_portable(bytes)) << testing::PrintToString(bytes);
        const std::string longer = std::string(62, 'a') + bytes + std::string(80, 'b');
        ASSERT_EQ(check(longer), is_utf8_portable(longer)) << testing::PrintToString(bytes);
      }
    }
  }
}

TEST(AsciiPrefix, EndsAtTheFirstByteBeyondAscii) {
  for (std::size_t size = 0; size < 200; ++size) {
    EXPECT_EQ(ascii_prefix(std::string(size, 'a')), size);
    EXPECT_EQ(ascii_prefix(std::string(size, 'a') + "\xff" + "aaaaaaaaaa"), size);
  }
}

}  // namespace
}  // namespace twinset

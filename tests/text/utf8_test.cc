#include "text/utf8.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "text/text_samples.h"

namespace twinset {
namespace {

bool is_scalar(std::uint32_t code_point) {
  return code_point < 0xD800 || (code_point >= 0xE000 && code_point < 0x110000);
}

/// The beginnings of well-formed sequences, themselves too.
const std::set<std::string>& beginnings() {
  static const std::set<std::string> all = [] {
    std::set<std::string> some;
    for (std::uint32_t code_point = 0; code_point < 0x110000; ++code_point) {
      // The last byte takes all its values; one represents them.
      if (!is_scalar(code_point) || (code_point >= 0x80 && code_point % 64 != 0)) continue;
      const std::string bytes = utf8_of(code_point);
      for (std::size_t size = 1; size < bytes.size(); ++size) some.insert(bytes.substr(0, size));
    }
    return some;
  }();
  return all;
}

/// The number of bytes that one U+FFFD replaces, by the definition of a maximal subpart.
std::size_t maximal_subpart(std::string_view text) {
  std::size_t size = 1;
  while (size < text.size() && beginnings().contains(std::string(text.substr(0, size + 1)))) ++size;
  return size;
}

std::u32string decoded(std::string_view text) {
  std::u32string code_points;
  for (std::size_t position = 0; position < text.size();) {
    const utf8::Decoded one = utf8::decode(text, position);
    code_points.push_back(one.code_point);
    position += one.bytes;
  }
  return code_points;
}

TEST(Utf8, EveryScalarValueComesBack) {
  for (std::uint32_t code_point = 0; code_point < 0x110000; ++code_point) {
    const std::string bytes = utf8_of(code_point);
    const utf8::Decoded one = utf8::decode(bytes, 0);
    ASSERT_EQ(one.valid, is_scalar(code_point)) << std::hex << code_point;
    if (one.valid) {
      ASSERT_EQ(one.code_point, code_point);
      ASSERT_EQ(one.bytes, bytes.size());
    }
  }
}

TEST(Utf8, ExamplesOfTheStandard) {
  // Unicode, section 3.9, tables 3-8 to 3-11.
  EXPECT_EQ(decoded("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"),
            U"\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD"
            U"\uFFFD\uFFFD\uFFFDA");
  EXPECT_EQ(decoded("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"),
            U"\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD"
            U"\uFFFD\uFFFD\uFFFDA");
  EXPECT_EQ(decoded("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"),
            U"\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA\uFFFD\uFFFDB");
  EXPECT_EQ(decoded("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), U"\uFFFD\uFFFD\uFFFD\uFFFDA");
}

TEST(Utf8, AnyBytesAreCutIntoSequencesAndMaximalSubparts) {
  Samples samples(1);
  for (int i = 0; i < 200000; ++i) {
    std::string text = i % 2 != 0 ? samples.bytes(1 + samples.below(5))
                                  : utf8_of(samples.code_point()) + samples.bytes(2);
    if (i % 3 == 0) text[samples.below(text.size())] = static_cast<char>(samples.word() % 64 + 128);
    const utf8::Decoded one = utf8::decode(text, 0);
    ASSERT_LE(one.bytes, text.size());
    if (one.valid) {
      ASSERT_EQ(utf8_of(one.code_point), text.substr(0, one.bytes));
    } else {
      ASSERT_EQ(one.code_point, utf8::replacement);
      ASSERT_EQ(one.bytes, maximal_subpart(text));
    }
  }
}

TEST(Utf8, ReadsNothingPastTheEnd) {
  for (const std::string& snippet : snippets()) {
    for (std::size_t size = 1; size <= snippet.size(); ++size) {
      const TightText text(std::string_view(snippet).substr(0, size), 3);
      EXPECT_LE(utf8::decode(text.view(), 0).bytes, size);
    }
  }
}

}  // namespace
}  // namespace twinset

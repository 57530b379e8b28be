#include "web/white_space.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <string_view>

#include "support/simd_levels.h"

namespace twinset {
namespace {

std::string collapsed(std::string_view text) {
  // Exactly as long as the text, so that sanitizers see reads beyond it.
  const std::unique_ptr<char[]> copy(new char[text.size()]);
  std::copy(text.begin(), text.end(), copy.get());
  std::string out(text.size() + white_space_slack_bytes, '#');
  out.resize(collapse_white_space({copy.get(), text.size()}, out.data()));
  return out;
}

/// Words, each but the first after a space.
std::string by_words(std::string_view text) {
  std::string result;
  while (true) {
    const std::size_t begin = text.find_first_not_of(" \t\n\f\r");
    if (begin == std::string_view::npos) return result;
    text.remove_prefix(begin);
    const std::size_t length = std::min(text.find_first_of(" \t\n\f\r"), text.size());
    if (!result.empty()) result += ' ';
    result += text.substr(0, length);
    text.remove_prefix(length);
  }
}

TEST(CollapseWhiteSpace, MakesEachRunOneSpace) {
  EXPECT_EQ(collapsed("\t<div\n  class=a>  x "), "<div class=a> x");
  EXPECT_EQ(collapsed(""), "");
  EXPECT_EQ(collapsed(" \n\t\f\r"), "");
  EXPECT_EQ(collapsed("a"), "a");
  EXPECT_EQ(collapsed("a\vb\xC2\xA0"), "a\vb\xC2\xA0") << "neither is white space of HTML";
}

TEST(CollapseWhiteSpace, IsTheSameAtEveryLevel) {
  testing::for_each_simd_level([] {
    std::mt19937 random(3);
    for (int i = 0; i < 20'000; ++i) {
      std::string text;
      const std::size_t words = random() % 12;
      for (std::size_t word = 0; word < words; ++word) {
        text += std::string(random() % 40, "ab\x80\xFF"[random() % 4]);
        const std::size_t blanks = random() % 4 == 0 ? random() % 70 : random() % 3;
        for (std::size_t blank = 0; blank < blanks; ++blank) text += " \t\n\f\r"[random() % 5];
      }
      ASSERT_EQ(collapsed(text), by_words(text)) << text;
    }
  });
}

TEST(FindLineBeforeWhiteSpace, IsTheFirstAtEveryLevel) {
  testing::for_each_simd_level([] {
    std::mt19937 random(4);
    for (int i = 0; i < 20'000; ++i) {
      std::string text(random() % 150, 'a');
      const auto rare = static_cast<unsigned>(1 + random() % 60);
      for (char& c : text) {
        if (random() % rare == 0) c = " \t\n\f\r"[random() % 5];
      }
      std::size_t expected = 0;
      while (expected + 1 < text.size() &&
             !(text[expected] == '\n' && is_white_space(text[expected + 1]))) {
        ++expected;
      }
      if (expected + 1 >= text.size()) expected = text.size();
      const std::unique_ptr<char[]> copy(new char[text.size()]);
      std::copy(text.begin(), text.end(), copy.get());
      const std::string_view same(copy.get(), text.size());
      ASSERT_EQ(find_line_before_white_space(same, 0), expected) << text;
      if (expected == text.size()) continue;
      ASSERT_EQ(find_line_before_white_space(same, expected), expected) << text;
    }
  });
}

}  // namespace
}  // namespace twinset

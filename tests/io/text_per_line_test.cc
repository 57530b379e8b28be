#include "io/text_per_line.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace twinset {
namespace {

/// Words of two to nine letters, different ones for each call.
class Words {
 public:
  std::string next() {
    std::string word(2 + draw() % 8, 'a');
    for (char& c : word) c = static_cast<char>('a' + draw() % 26);
    return word;
  }
  std::uint32_t draw() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint32_t>(state_ >> 33);
  }

 private:
  std::uint64_t state_ = 7;
};

/// Lines of so many words.
std::string lines(std::size_t count, std::size_t fewest, std::size_t most,
                  const std::string& indent = "") {
  Words words;
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += indent + words.next();
    const std::size_t more = fewest - 1 + words.draw() % (most - fewest + 1);
    for (std::size_t k = 0; k < more; ++k) text += ' ' + words.next();
    text += ".\r\n";
  }
  return text;
}

/// Prose that ends its lines at a margin, without a blank line.
std::string wrapped(std::size_t count) {
  Words words;
  std::string text;
  std::string line;
  for (std::size_t i = 0; i < count;) {
    const std::string word = words.next();
    if (line.size() + 1 + word.size() > 72) {
      text += line + '\n';
      line.clear();
      ++i;
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return text + line;
}

TEST(TextPerLine, SentencesAndQueriesAreTextsALine) {
  EXPECT_TRUE(has_text_per_line(lines(1000, 5, 40)));
  EXPECT_TRUE(has_text_per_line(lines(5000, 3, 9)));
  EXPECT_TRUE(has_text_per_line(lines(200000, 3, 9)));
}

TEST(TextPerLine, TooFewLinesTellNothing) {
  EXPECT_FALSE(has_text_per_line(""));
  EXPECT_FALSE(has_text_per_line(lines(999, 5, 40)));
}

TEST(TextPerLine, OtherTextsHaveOtherLines) {
  EXPECT_FALSE(has_text_per_line(wrapped(3000)));
  EXPECT_FALSE(has_text_per_line(lines(3000, 1, 1)));
  EXPECT_FALSE(has_text_per_line(lines(3000, 1, 4)));
  EXPECT_FALSE(has_text_per_line(lines(3000, 61, 200)));
  EXPECT_FALSE(has_text_per_line(lines(3000, 5, 40, "  ")));
  EXPECT_FALSE(has_text_per_line(std::string(300000, '\n')));
  std::string settings, code, paragraphs;
  for (int i = 0; i < 3000; ++i) {
    settings += "syntax keyword some name of it\n";
    code += std::string(1, static_cast<char>('a' + i % 26)) + "[i] += {b, c} * (d - 1); // e f\n";
  }
  const std::string text = lines(3000, 5, 40);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    paragraphs += text.substr(at, end - at) + "\n";
    at = end;
  }
  EXPECT_FALSE(has_text_per_line(settings));
  EXPECT_FALSE(has_text_per_line(code));
  EXPECT_FALSE(has_text_per_line(paragraphs));
}

}  // namespace
}  // namespace twinset

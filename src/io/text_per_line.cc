// Each rule turns down one kind of other text, and all must hold: prose has blank lines between its
// paragraphs, or lines that its margin ended; code is indented, or has many signs; a list of words
// has a word a line; settings begin alike; a book with a paragraph a line has long ones. The shares
// were set on 50,000 files, of which a few tables of code points alone are taken for texts.
//
// This file's interface is io/text_per_line.h; the rest is private.
#include "io/text_per_line.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "io/text_lines.h"

namespace twinset {
namespace {

/// Of the text: more would tell nothing else, and take memory.
constexpr std::size_t looked_bytes = std::size_t{512} << 10;
constexpr std::size_t fewest_lines = 1000;
constexpr std::size_t fewest_words = 3;
constexpr std::size_t most_words = 60;
/// Of the text's lines, in percent: the most that may be of another kind.
constexpr std::size_t most_blank = 2;
constexpr std::size_t most_indented = 2;
constexpr std::size_t most_short = 10;
constexpr std::size_t most_long = 10;
constexpr std::size_t most_odd = 20;
constexpr std::size_t most_begun_alike = 33;
constexpr std::size_t most_ended_by_margin = 30;
/// The margin is where these of the lines, in percent, have ended.
constexpr std::size_t within_margin = 98;

bool is_line_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f'; }

/// Bytes of other scripts count as letters.
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

/// What a line is, without its text.
struct LineShape {
  std::uint32_t bytes = 0;
  std::uint32_t words = 0;
  std::uint32_t first_word_bytes = 0;
  bool odd = false;  ///< fewer than four fifths are letters, digits and spaces, or three letters
};

LineShape shape_of_line(std::string_view line) {
  LineShape shape;
  shape.bytes = static_cast<std::uint32_t>(line.size());
  std::size_t letters = 0;
  std::size_t digits = 0;
  bool in_word = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool blank = is_line_space(c);
    letters += blank || is_letter(c) ? 1 : 0;
    digits += c >= '0' && c <= '9' ? 1 : 0;
    if (!blank && !in_word) ++shape.words;
    if (blank && in_word && shape.words == 1)
      shape.first_word_bytes = static_cast<std::uint32_t>(i);
    in_word = !blank;
  }
  if (shape.words == 1) shape.first_word_bytes = shape.bytes;
  shape.odd = (letters + digits) * 5 < line.size() * 4 || letters * 5 < line.size() * 3;
  return shape;
}

struct Lines {
  std::size_t blank = 0;
  std::size_t indented = 0;
  std::size_t begun_alike = 0;  ///< with the commonest first word
  std::vector<LineShape> shapes;
};

Lines lines_of(std::string_view text) {
  Lines lines;
  std::unordered_map<std::string_view, std::size_t> first_words;
  for_each_line(text, [&](std::string_view line) {
    if (std::ranges::all_of(line, is_line_space)) {
      ++lines.blank;
      return true;
    }
    if (is_line_space(line.front())) ++lines.indented;
    const LineShape shape = shape_of_line(line);
    lines.begun_alike =
        std::max(lines.begun_alike, ++first_words[line.substr(0, shape.first_word_bytes)]);
    lines.shapes.push_back(shape);
    return true;
  });
  return lines;
}

/// The lines behind which the first word of the next one had no room.
std::size_t ended_by_margin(const std::vector<LineShape>& shapes) {
  std::vector<std::uint32_t> lengths;
  lengths.reserve(shapes.size());
  for (const LineShape& shape : shapes) lengths.push_back(shape.bytes);
  const auto margin =
      lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() * within_margin / 100);
  std::ranges::nth_element(lengths, margin);
  std::size_t ended = 0;
  for (std::size_t i = 0; i + 1 < shapes.size(); ++i) {
    if (shapes[i].bytes + 1 + shapes[i + 1].first_word_bytes > *margin) ++ended;
  }
  return ended;
}

}  // namespace

bool has_text_per_line(std::string_view text) {
  const Lines lines = lines_of(text.substr(0, looked_bytes));
  const std::size_t all = lines.shapes.size();
  if (all < fewest_lines) return false;
  const auto at_most = [&](std::size_t some, std::size_t percent) {
    return some * 100 <= all * percent;
  };
  const auto having = [&](auto what) {
    return static_cast<std::size_t>(std::ranges::count_if(lines.shapes, what));
  };
  return at_most(lines.blank, most_blank) && at_most(lines.indented, most_indented) &&
         at_most(lines.begun_alike, most_begun_alike) &&
         at_most(having([](const LineShape& line) { return line.words < fewest_words; }),
                 most_short) &&
         at_most(having([](const LineShape& line) { return line.words > most_words; }),
                 most_long) &&
         at_most(having([](const LineShape& line) { return line.odd; }), most_odd) &&
         at_most(ended_by_margin(lines.shapes), most_ended_by_margin);
}

}  // namespace twinset

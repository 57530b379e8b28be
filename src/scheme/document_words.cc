// A figure is a number, which has a digit of any script, in tables as its first character, or a
// date. A name of a month or a day is a date; one that is also another word, such as "may" or
// "sat", only if its writing or its neighbors say so. A row of five short names of days is the head
// of a calendar.
//
// A calendar, or a table of numbers, is a stretch of figures with at most two other words between
// neighbors, such as the names of rows. It is long and mostly numbers, so a sentence with a few
// numbers is not a table.
//
// This file's interface is scheme/document_words.h; the rest is private.
#include "scheme/document_words.h"

#include <algorithm>

#include "text/token_hash.h"
#include "text/utf8.h"

namespace twinset {
namespace {

/// How a token can be a figure: a number or a date.
using Marks = std::uint8_t;
constexpr Marks alone = 1;   ///< it is one
constexpr Marks beside = 2;  ///< beside another: Jan 3
constexpr Marks after = 4;   ///< after another: 10 am
constexpr Marks in_row = 8;  ///< in a row of names of days: Mo Tu We

struct DateName {
  std::string_view name;
  Marks always;
  Marks capital;  ///< if written with a capital letter, these too
};

/// In order of their bytes.
constexpr DateName date_names[] = {
    {"am", after, 0},
    {"apr", beside, 0},
    {"april", 0, alone},
    {"aug", beside, 0},
    {"august", 0, alone},
    {"dec", beside, 0},
    {"december", alone, 0},
    {"feb", beside, 0},
    {"february", alone, 0},
    {"fr", in_row, 0},
    {"fri", in_row | beside, 0},
    {"friday", alone, 0},
    {"gmt", after, 0},
    {"jan", beside, 0},
    {"january", alone, 0},
    {"jul", beside, 0},
    {"july", alone, 0},
    {"jun", beside, 0},
    {"june", 0, alone},
    {"mar", 0, beside},
    {"march", 0, alone},
    {"may", 0, alone},
    {"mo", in_row, 0},
    {"mon", in_row | beside, 0},
    {"monday", alone, 0},
    {"nov", beside, 0},
    {"november", alone, 0},
    {"oct", beside, 0},
    {"october", alone, 0},
    {"pm", after, 0},
    {"sa", in_row, 0},
    {"sat", in_row, beside},
    {"saturday", alone, 0},
    {"sep", beside, 0},
    {"sept", beside, 0},
    {"september", alone, 0},
    {"su", in_row, 0},
    {"sun", in_row, beside},
    {"sunday", alone, 0},
    {"th", in_row, 0},
    {"thu", in_row | beside, 0},
    {"thur", in_row | beside, 0},
    {"thurs", in_row | beside, 0},
    {"thursday", alone, 0},
    {"tu", in_row, 0},
    {"tue", in_row | beside, 0},
    {"tues", in_row | beside, 0},
    {"tuesday", alone, 0},
    {"utc", after, 0},
    {"we", in_row, 0},
    {"wed", in_row, beside},
    {"wednesday", alone, 0},
};
static_assert(std::ranges::is_sorted(date_names, {}, &DateName::name));
constexpr std::size_t longest_date_name = 9;

/// The digit 0 of each script of the Basic Multilingual Plane; 1 to 9 follow.
constexpr std::uint32_t zeros[] = {0x0030, 0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6,
                                   0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0DE6, 0x0E50, 0x0ED0,
                                   0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80,
                                   0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900,
                                   0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10};

bool is_digit(std::uint32_t code_point) {
  if (code_point < 0x80) return code_point >= '0' && code_point <= '9';
  return std::ranges::any_of(zeros, [&](std::uint32_t zero) { return code_point - zero < 10; });
}

/// Does a digit begin the token, or, where all numbers are blanked, stand anywhere in it?
bool is_number(std::string_view token, Blanking blanking) {
  for (std::size_t i = 0; i < token.size();) {
    const utf8::Decoded decoded = utf8::decode(token, i);
    if (is_digit(decoded.code_point)) return true;
    if (blanking == Blanking::tables) return false;
    i += decoded.bytes;
  }
  return false;
}

Marks marks_of(std::string_view token, Blanking blanking) {
  if (is_number(token, blanking)) return alone;
  if (token.size() > longest_date_name) return 0;
  char lower[longest_date_name];
  for (std::size_t i = 0; i < token.size(); ++i) {
    lower[i] = static_cast<char>(token[i] >= 'A' && token[i] <= 'Z' ? token[i] | 0x20 : token[i]);
  }
  const std::string_view name(lower, token.size());
  const auto* const found = std::ranges::lower_bound(date_names, name, {}, &DateName::name);
  if (found == std::end(date_names) || found->name != name) return 0;
  const bool capital = token[0] >= 'A' && token[0] <= 'Z';
  return found->always | (capital ? found->capital : Marks{0});
}

constexpr std::size_t fewest_in_row = 5;

/// Of each token: is it a figure?
std::vector<char> find_figures(const VisibleText& visible, Blanking blanking) {
  const std::string_view text = visible.text;
  std::vector<Marks> marks;
  marks.reserve(visible.analysis.offsets.size());
  for (const TokenOffsets& token : visible.analysis.offsets) {
    marks.push_back(marks_of(text.substr(token.begin, token.end - token.begin), blanking));
  }
  const std::size_t count = marks.size();
  for (std::size_t i = 0; i < count;) {
    std::size_t end = i;
    while (end < count && (marks[end] & in_row) != 0) ++end;
    for (std::size_t at = i; end - i >= fewest_in_row && at < end; ++at) marks[at] |= alone;
    i = std::max(end, i + 1);
  }
  std::vector<char> figures(count);
  for (std::size_t i = 0; i < count; ++i) {
    const bool follows = i > 0 && (marks[i - 1] & alone) != 0;
    const bool precedes = i + 1 < count && (marks[i + 1] & alone) != 0;
    figures[i] = (marks[i] & alone) != 0 || ((marks[i] & after) != 0 && follows) ||
                 ((marks[i] & beside) != 0 && (follows || precedes));
  }
  return figures;
}

constexpr std::size_t most_between_figures = 2;
constexpr std::size_t fewest_in_table = 16;

/// Unmarks numbers outside tables. A table has at least 16 numbers, and they are two thirds of its
/// words.
void keep_tables(std::vector<char>& figures) {
  for (std::size_t i = 0; i < figures.size();) {
    if (figures[i] == 0) {
      ++i;
      continue;
    }
    std::size_t end = i;  // of the stretch that begins at i
    std::size_t inside = 0;
    for (std::size_t at = i; at < figures.size() && at <= end + most_between_figures; ++at) {
      if (figures[at] == 0) continue;
      end = at + 1;
      ++inside;
    }
    if (inside < fewest_in_table || 3 * inside < 2 * (end - i)) {
      std::fill(figures.begin() + static_cast<std::ptrdiff_t>(i),
                figures.begin() + static_cast<std::ptrdiff_t>(end), 0);
    }
    i = end;
  }
}

bool is_apostrophe(std::string_view between) { return between == "'" || between == "\xE2\x80\x99"; }

/// The tokens that make a word with the one at `at`, if apostrophes join.
std::uint32_t end_of_word(const VisibleText& visible, std::size_t at) {
  const std::vector<TokenOffsets>& offsets = visible.analysis.offsets;
  std::size_t end = at + 1;
  while (
      end < offsets.size() && offsets[end - 1].end < offsets[end].begin &&
      is_apostrophe(std::string_view(visible.text)
                        .substr(offsets[end - 1].end, offsets[end].begin - offsets[end - 1].end))) {
    ++end;
  }
  return static_cast<std::uint32_t>(end);
}

}  // namespace

void read_words(const DocumentView& document, Blanking blanking, bool places, DocumentWords& out) {
  out.made.clear();
  out.places.clear();
  if ((blanking == Blanking::none && !places) || document.analyzer() == nullptr) {
    out.hashes = document.analysis().tokens;
    return;
  }
  const VisibleText& visible = document.visible();
  const std::vector<std::uint64_t>& tokens = visible.analysis.tokens;
  std::vector<char> blank(tokens.size());
  if (blanking != Blanking::none) blank = find_figures(visible, blanking);
  if (blanking == Blanking::tables) keep_tables(blank);
  for (std::uint32_t i = 0; i < tokens.size();) {
    const std::uint32_t end = blanking == Blanking::numbers ? end_of_word(visible, i) : i + 1;
    const WordTokens word{i, end};
    i = end;
    if (std::any_of(blank.begin() + word.begin, blank.begin() + word.end,
                    [](char one) { return one != 0; })) {
      continue;
    }
    out.made.push_back(word.end - word.begin == 1 ? tokens[word.begin]
                                                  : token_hash(word_text(document, word)));
    out.places.push_back(word);
  }
  out.hashes = out.made;
}

std::string word_text(const DocumentView& document, const WordTokens& word) {
  const VisibleText& visible = document.visible();
  std::string text;
  for (std::uint32_t i = word.begin; i < word.end; ++i) {
    document.analyzer()->append_token(visible.text, visible.analysis.offsets[i], text);
  }
  return text;
}

void weigh_tags(const DocumentView& document, std::span<const html::Tag> tags,
                std::uint64_t percent, const DocumentWords& words,
                std::vector<std::uint64_t>& out) {
  // The tagged ranges in order of their begins; as words ascend, too, the furthest end of those
  // that have begun tells whether a word is in one.
  std::vector<TokenOffsets> ranges;
  for (const HtmlSpan& span : document.html_fields().spans) {
    if (std::ranges::find(tags, span.tag) != tags.end()) ranges.push_back(span.text);
  }
  std::size_t next = 0;
  std::uint32_t end = 0;
  const std::vector<TokenOffsets>& offsets = document.visible().analysis.offsets;
  for (const WordTokens& word : words.places) {
    const std::uint32_t begin = offsets[word.begin].begin;
    for (; next < ranges.size() && ranges[next].begin <= begin; ++next) {
      end = std::max(end, ranges[next].end);
    }
    out.push_back(begin < end ? percent : 100);
  }
}

}  // namespace twinset

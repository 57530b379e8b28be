// Cuts are found first, then each piece between two is normalized into one buffer and hashed there.
// For `html` the tokenizer of text/html.h names the start tags.
//
// This file's interface is web/chunks.h; the rest is private.
#include "web/chunks.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cstring>
#include <system_error>

#include "text/html_nesting.h"
#include "text/html_tags.h"
#include "web/white_space.h"

namespace twinset {
namespace {

/// A larger buffer is not kept.
constexpr std::size_t large_bytes = std::size_t{16} << 20;

/// In the text of rules.
constexpr std::string_view kept_white_space = " space=keep";

constexpr char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

struct CutName {
  std::string_view name;
  std::uint8_t element;
};
constexpr std::array<CutName, 8> cut_names{{{"p", chunk_elements::paragraphs},
                                            {"div", chunk_elements::divisions},
                                            {"table", chunk_elements::tables},
                                            {"td", chunk_elements::cells},
                                            {"th", chunk_elements::cells},
                                            {"frame", chunk_elements::frames},
                                            {"iframe", chunk_elements::frames},
                                            {"ends", chunk_elements::ends}}};

bool is_named(std::string_view name, std::string_view small_name) {
  return std::ranges::equal(name, small_name, {}, small);
}

bool cuts_at(std::string_view name, std::uint8_t elements) {
  return std::ranges::any_of(cut_names, [&](const CutName& cut) {
    return (cut.element & elements) != 0 && is_named(name, cut.name);
  });
}

const char* find(const char* at, const char* end, char byte) {
  if (at == end) return end;
  const void* const found = std::memchr(at, byte, static_cast<std::size_t>(end - at));
  return found == nullptr ? end : static_cast<const char*>(found);
}

constexpr bool ends_raw_name(char c) { return c == ' ' || c == '\t' || c == '>' || c == '/'; }
constexpr bool is_line_end(char c) { return c == '\n' || c == '\r'; }

/// Does page[at, end) begin with `name` and a byte that ends it? `lines`: with line ends anywhere
/// in between, as if there were none.
bool begins_raw(const char* at, const char* end, std::string_view name, bool lines) {
  const auto next = [&] {
    while (lines && at != end && is_line_end(*at)) ++at;
    return at == end ? '\0' : *at++;
  };
  for (const char c : name) {
    if (small(next()) != c) return false;
  }
  return ends_raw_name(next());
}

void find_raw_cuts(std::string_view page, bool auntietuna, std::vector<std::uint32_t>& cuts) {
  const char* const end = page.data() + page.size();
  for (const char* at = page.data(); (at = find(at, end, '<')) != end; ++at) {
    if (begins_raw(at + 1, end, "p", auntietuna) ||
        (auntietuna && begins_raw(at + 1, end, "div", true))) {
      cuts.push_back(static_cast<std::uint32_t>(at - page.data()));
    }
  }
}

/// A paragraph begins with the first line that is not blank after one that is.
void find_paragraphs(std::string_view text, std::vector<std::uint32_t>& cuts) {
  const auto skip = [&](std::size_t at) {
    while (at < text.size() && is_white_space(text[at])) ++at;
    return at;
  };
  for (std::size_t at = skip(0);;) {
    const std::size_t line_end = find_line_before_white_space(text, at);
    if (line_end == text.size()) return;
    at = skip(line_end);
    if (at == text.size()) return;
    const std::size_t begin = text.rfind('\n', at) + 1;
    if (begin > line_end + 1) cuts.push_back(static_cast<std::uint32_t>(begin));
  }
}

/// The extension's: no line ends, and of blanks that no line end parts, one space.
std::size_t join_lines(std::string_view piece, char* out) {
  char* write = out;
  bool blank = false;
  for (const char c : piece) {
    const bool is_blank = c == ' ' || c == '\t';
    if (!is_line_end(c) && !(is_blank && blank)) *write++ = is_blank ? ' ' : c;
    blank = is_blank;
  }
  return static_cast<std::size_t>(write - out);
}

/// Code points, or UTF-16 units; bytes that are no UTF-8 count as some.
std::size_t count_characters(std::string_view content, bool utf16) {
  std::uint32_t count = 0;  // of a page; more of them fit a vector than of larger numbers
  for (const char c : content) {
    const auto byte = static_cast<std::uint8_t>(c);
    count += static_cast<std::uint32_t>((byte & 0xC0) != 0x80) +
             static_cast<std::uint32_t>(utf16 && byte >= 0xF0);
  }
  return count;
}

/// True and removed if `text` begins with `begin`.
bool take(std::string_view& text, std::string_view begin) {
  if (!text.starts_with(begin)) return false;
  text.remove_prefix(begin.size());
  return true;
}

/// The digits at the begin of `text`, removed; false if there are none or too many.
template <typename Number>
bool take_number(std::string_view& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

/// Those of the authors' programs have a way of their own.
bool keeps_white_space(const ChunkRules& rules) {
  return rules.white_space == ChunkWhiteSpace::keep &&
         (rules.cuts == ChunkCuts::html || rules.cuts == ChunkCuts::paragraphs);
}

bool has_characters(std::string_view content, const ChunkRules& rules) {
  constexpr std::size_t most_bytes = 4;  // of a character
  if (content.size() < rules.least_characters) return false;
  if (content.size() / most_bytes >= rules.least_characters) return true;
  return count_characters(content, rules.cuts == ChunkCuts::auntietuna) >= rules.least_characters;
}

}  // namespace

ChunkRules hadoop_chunks() {
  return {.cuts = ChunkCuts::hadoop, .hash = ChunkHash::sha1, .least_characters = 0};
}

ChunkRules auntietuna_chunks() {
  return {.cuts = ChunkCuts::auntietuna,
          .hash = ChunkHash::sha256,
          .least_characters = least_characters_of_auntietuna};
}

std::string to_text(const ChunkRules& rules) {
  std::string text;
  switch (rules.cuts) {
    case ChunkCuts::html: {
      text = "html(";
      bool first = true;
      for (const CutName& cut : cut_names) {
        if ((cut.element & rules.elements) == 0) continue;
        if (!first) text += ',';
        text += cut.name;
        first = false;
      }
      if (rules.content == ChunkContent::text) {
        text += ") text=" + std::to_string(html_version);
      } else {
        text += rules.attributes == ChunkAttributes::ignore ? ") markup attributes=0" : ") markup";
      }
      break;
    }
    case ChunkCuts::hadoop:
      text = "hadoop";
      break;
    case ChunkCuts::auntietuna:
      text = "auntietuna";
      break;
    case ChunkCuts::paragraphs:
      text = "paragraphs";
      break;
  }
  if (keeps_white_space(rules)) text += kept_white_space;
  text += ' ';
  text += chunk_hash_name(rules.hash);
  if (rules.hash == ChunkHash::xxh3) text += "(seed=" + std::to_string(rules.seed) + ")";
  return text + " least=" + std::to_string(rules.least_characters);
}

std::optional<ChunkRules> parse_chunk_rules(std::string_view text) {
  ChunkRules rules;
  std::string_view rest = text;
  if (take(rest, "html(")) {
    rules.elements = 0;
    while (!rest.empty() && !take(rest, ")")) {
      const std::string_view name = rest.substr(0, rest.find_first_of(",)"));
      const auto cut = std::ranges::find(cut_names, name, &CutName::name);
      if (cut == cut_names.end()) return std::nullopt;
      rules.elements |= cut->element;
      rest.remove_prefix(name.size());
      take(rest, ",");
    }
    if (take(rest, " text=" + std::to_string(html_version))) {
      rules.content = ChunkContent::text;
    } else if (!take(rest, " markup")) {
      return std::nullopt;
    } else if (take(rest, " attributes=0")) {
      rules.attributes = ChunkAttributes::ignore;
    }
  } else if (take(rest, "hadoop")) {
    rules.cuts = ChunkCuts::hadoop;
  } else if (take(rest, "auntietuna")) {
    rules.cuts = ChunkCuts::auntietuna;
  } else if (take(rest, "paragraphs")) {
    rules.cuts = ChunkCuts::paragraphs;
  } else {
    return std::nullopt;
  }
  if (take(rest, kept_white_space)) rules.white_space = ChunkWhiteSpace::keep;
  if (!take(rest, " ")) return std::nullopt;
  const std::string_view name = rest.substr(0, rest.find_first_of(" ("));
  const std::optional<ChunkHash> hash = find_chunk_hash(name);
  if (!hash.has_value()) return std::nullopt;
  rules.hash = *hash;
  rest.remove_prefix(name.size());
  if (take(rest, "(seed=") && (!take_number(rest, rules.seed) || !take(rest, ")"))) {
    return std::nullopt;
  }
  if (!take(rest, " least=") || !take_number(rest, rules.least_characters)) return std::nullopt;
  // Whatever is left, stands in another order or is written otherwise is refused here.
  return to_text(rules) == text ? std::optional(rules) : std::nullopt;
}

void Chunker::find_cuts(std::string_view page) {
  cuts_.clear();
  switch (rules_.cuts) {
    case ChunkCuts::html:
      find_tag_cuts(page);
      break;
    case ChunkCuts::hadoop:
      find_raw_cuts(page, false, cuts_);
      break;
    case ChunkCuts::auntietuna:
      find_raw_cuts(page, true, cuts_);
      break;
    case ChunkCuts::paragraphs:
      find_paragraphs(page, cuts_);
      break;
  }
}

void Chunker::find_tag_cuts(std::string_view page) {
  extract_html_tags(page, text_, tags_);
  const bool ends = (rules_.elements & chunk_elements::ends) != 0;
  const auto elements = static_cast<std::uint8_t>(rules_.elements & ~chunk_elements::ends);
  bool in_paragraph = false;
  for (const HtmlTag& tag : tags_) {
    if (tag.is_end && !ends) continue;
    const std::string_view name = page.substr(tag.name.begin, tag.name.end - tag.name.begin);
    const bool cuts = cuts_at(name, elements);
    const bool leaves = in_paragraph && html::ends_paragraph(name, tag.is_end);
    if (cuts || leaves) cuts_.push_back(tag.name.begin - (tag.is_end ? 2 : 1));
    in_paragraph =
        (in_paragraph && !leaves) || (ends && cuts && !tag.is_end && is_named(name, "p"));
  }
}

/// The markup of a piece without attributes, and without the end tags that it begins with: they
/// belong to what stands before it.
std::string_view Chunker::compared_markup(std::string_view piece) {
  const bool ignores = rules_.attributes == ChunkAttributes::ignore;
  bool begins = (rules_.elements & chunk_elements::ends) != 0;
  if (!ignores && !begins) return piece;
  extract_html_tags(piece, text_, tags_);
  markup_.clear();
  std::size_t at = 0;
  for (const HtmlTag& tag : tags_) {
    begins = begins && tag.is_end &&
             std::ranges::all_of(piece.substr(at, tag.name.begin - 2 - at), is_white_space);
    if (!begins && !ignores) break;
    if (!begins) markup_.append(piece.substr(at, tag.name.end - at)) += '>';
    at = tag.end;
  }
  if (!ignores) return piece.substr(at);
  return markup_.append(piece.substr(at));
}

std::string_view Chunker::content(std::string_view piece) {
  if (rules_.cuts == ChunkCuts::hadoop) return piece;
  if (rules_.cuts == ChunkCuts::html && rules_.content == ChunkContent::text) {
    extract_html(piece, Offsets::drop, text_);
    piece = text_.view();
  } else if (rules_.cuts == ChunkCuts::html) {
    piece = compared_markup(piece);
  }
  if (keeps_white_space(rules_)) return piece;
  if (content_.size() < piece.size() + white_space_slack_bytes) {
    content_.resize(piece.size() + piece.size() / 4 + white_space_slack_bytes);
  }
  const std::size_t size = rules_.cuts == ChunkCuts::auntietuna
                               ? join_lines(piece, content_.data())
                               : collapse_white_space(piece, content_.data());
  return {content_.data(), size};
}

void Chunker::read(std::string_view page, std::vector<Chunk>& chunks) {
  assert(page.size() <= 0xFFFFFFFF - 64);
  chunks.clear();
  short_chunks_ = 0;
  find_cuts(page);
  cuts_.push_back(static_cast<std::uint32_t>(page.size()));
  std::uint32_t begin = 0;
  for (const std::uint32_t end : cuts_) {
    if (end == 0 && !page.empty()) continue;  // The page begins with a cut.
    const std::string_view found = content(page.substr(begin, end - begin));
    if (has_characters(found, rules_)) {
      chunks.push_back({hash_chunk(found, rules_.hash, rules_.seed), {begin, end}});
    } else {
      ++short_chunks_;
    }
    begin = end;
  }
  text_.release_large();
  if (content_.capacity() > large_bytes) content_ = {};
  if (markup_.capacity() > large_bytes) markup_ = {};
  if (tags_.capacity() > large_bytes / sizeof(HtmlTag)) tags_ = {};
}

}  // namespace twinset

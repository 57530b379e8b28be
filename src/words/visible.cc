// One list of the characters to spell out, for two media.
//
// This file's interface is twinset/visible.h and visible.h; the rest is private.
#include "words/visible.h"

#include <fmt/format.h>

#include <iterator>

#include "text/utf8.h"
#include "words/numbers.h"

namespace twinset {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";

struct Range {
  std::uint32_t first, last;
};

/// Characters beyond ASCII that control a display instead of showing on it.
constexpr Range unseen[] = {
    {0x80, 0x9f},        // C1 controls; 0x9b opens a terminal escape
    {0xad, 0xad},        // soft hyphen
    {0x61c, 0x61c},      // Arabic letter mark
    {0x180e, 0x180e},    // Mongolian vowel separator
    {0x200b, 0x200b},    // zero width space
    {0x200e, 0x200f},    // left-to-right, right-to-left mark
    {0x2028, 0x202e},    // line and paragraph separators, embeddings, overrides
    {0x2060, 0x206f},    // invisible operators, isolates, deprecated controls
    {0xfdd0, 0xfdef},    // noncharacters
    {0xfeff, 0xfeff},    // byte order mark
    {0xfff9, 0xfffb},    // interlinear annotation
    {0xfffe, 0xffff},    // noncharacters
    {0xe0000, 0xe0fff},  // tags and other invisible characters
};

bool is_unseen(std::uint32_t character) {
  if ((character & 0xfffe) == 0xfffe) return true;  // the last two of every plane
  for (const Range& range : unseen) {
    if (character < range.first) return false;
    if (character <= range.last) return true;
  }
  return false;
}

void append_reference(std::string& out, char c) {
  switch (c) {
    case '&':
      out += "&amp;";
      return;
    case '<':
      out += "&lt;";
      return;
    case '>':
      out += "&gt;";
      return;
    case '"':
      out += "&quot;";
      return;
    case '\'':
      out += "&#39;";
      return;
    default:
      out += c;
  }
}

void append_control(std::string& out, char c, Lines lines) {
  if (lines == Lines::keep && (c == '\n' || c == '\t')) {
    out += c;
  } else if (c == '\n') {
    out += "\\n";
  } else if (c == '\r') {
    out += "\\r";
  } else if (c == '\t') {
    out += "\\t";
  } else {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<std::uint8_t>(c));
  }
}

void append_invalid(std::string& out, std::string_view bytes, Lines lines) {
  if (lines == Lines::keep) {
    out += replacement;
    return;
  }
  for (const char c : bytes) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<std::uint8_t>(c));
  }
}

void append(std::string& out, std::string_view text, Lines lines, bool for_html) {
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (static_cast<std::uint8_t>(c) >= 0x20 && static_cast<std::uint8_t>(c) < 0x7f) {
      if (for_html)
        append_reference(out, c);
      else
        out += c;
      ++i;
      continue;
    }
    if (static_cast<std::uint8_t>(c) < 0x80) {
      const bool line_end = c == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
      if (!(line_end && lines == Lines::keep)) append_control(out, c, lines);
      ++i;
      continue;
    }
    const utf8::Decoded decoded = utf8::decode(text, i);
    if (!decoded.valid) {
      append_invalid(out, text.substr(i, decoded.bytes), lines);
    } else if (is_unseen(decoded.code_point)) {
      fmt::format_to(std::back_inserter(out), "\\u{{{:x}}}", decoded.code_point);
    } else {
      out += text.substr(i, decoded.bytes);
    }
    i += decoded.bytes;
  }
}

std::string rest_of_name(std::size_t bytes) {
  return bytes == 0 ? std::string() : "... " + format_bytes(bytes) + " more";
}

bool continues_character(char c) { return (static_cast<std::uint8_t>(c) & 0xc0U) == 0x80U; }

}  // namespace

void append_visible(std::string& out, std::string_view text, Lines lines) {
  append(out, text, lines, false);
}

void append_html(std::string& out, std::string_view text, Lines lines) {
  append(out, text, lines, true);
}

std::string visible_name(std::string_view text, std::size_t most_bytes) {
  const std::string_view shown = whole_prefix(text, most_bytes);
  return visible_text(shown) + rest_of_name(text.size() - shown.size());
}

std::string html_name(std::string_view text, std::size_t most_bytes) {
  const std::string_view shown = whole_prefix(text, most_bytes);
  return html_text(shown) + rest_of_name(text.size() - shown.size());
}

std::string first_words(std::string_view text, std::size_t most_bytes) {
  std::string line;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
    if (!space) line += c;
    if (space && !line.empty() && line.back() != ' ') line += ' ';
    if (line.size() > 2 * most_bytes) break;
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  if (line.size() <= most_bytes) return line;
  std::string_view words = whole_prefix(line, most_bytes);
  const std::size_t space = words.rfind(' ');
  if (space != std::string_view::npos && space > most_bytes / 2) words = words.substr(0, space);
  return std::string(words) + " ...";
}

std::string_view whole_prefix(std::string_view text, std::size_t bytes) {
  if (bytes >= text.size()) return text;
  std::size_t end = bytes;
  for (int i = 0; i < 3 && end > 0 && continues_character(text[end]); ++i) --end;
  return text.substr(0, continues_character(text[end]) ? bytes : end);
}

std::string_view whole_suffix(std::string_view text, std::size_t bytes) {
  if (bytes >= text.size()) return text;
  std::size_t begin = text.size() - bytes;
  for (int i = 0; i < 3 && begin < text.size() && continues_character(text[begin]); ++i) ++begin;
  return text.substr(begin);
}

}  // namespace twinset

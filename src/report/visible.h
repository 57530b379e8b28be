// Hostile text made harmless: what a document, an id or a file name holds is
// shown, never obeyed.
//
//   append_visible(out, "red \x1b[31m", Lines::keep);  // "red \x1b[31m", spelled out
//   append_html(out, "<b>", Lines::keep);              // "&lt;b&gt;"
//
// Both give valid UTF-8. Invalid bytes become U+FFFD, one for each maximal
// ill-formed part (the WHATWG rule). Control characters (C0 but tab and, if
// kept, the line feed; DEL; C1), bidirectional controls, line and paragraph
// separators, invisible marks, tag characters and noncharacters are spelled as
// \x1b or \u{202e}: a terminal is not steered, a page not reordered, and a
// reader sees that something was there.
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace twinset {

enum class Lines : std::uint8_t {
  keep,  ///< "\n" stays; "\r\n" becomes "\n"; for blocks of text
  spell  ///< "\n", "\r" and tab are spelled out; for ids and names on one line
};

/// Appends `text` for a terminal.
void append_visible(std::string& out, std::string_view text, Lines lines);

/// Appends `text` for HTML content or a quoted attribute value: as
/// append_visible, with & < > " ' as character references.
void append_html(std::string& out, std::string_view text, Lines lines);

inline std::string visible_text(std::string_view text, Lines lines = Lines::spell) {
  std::string out;
  append_visible(out, text, lines);
  return out;
}

inline std::string html_text(std::string_view text, Lines lines = Lines::spell) {
  std::string out;
  append_html(out, text, lines);
  return out;
}

/// An id, name or option value on one line: of more than `most_bytes` the rest
/// is only counted ("... 1.2 MB more").
inline constexpr std::size_t most_name_bytes = 400;
std::string visible_name(std::string_view text, std::size_t most_bytes = most_name_bytes);
std::string html_name(std::string_view text, std::size_t most_bytes = most_name_bytes);

/// The longest prefix of at most `bytes` bytes that does not cut a character,
/// and the longest such suffix.
std::string_view whole_prefix(std::string_view text, std::size_t bytes);
std::string_view whole_suffix(std::string_view text, std::size_t bytes);

}  // namespace twinset

// Hostile text made harmless in HTML, by the rules of twinset/visible.h, which does the
// same for a terminal.
//
//   append_visible(out, "red \x1b[31m", Lines::keep);  // "red \x1b[31m", spelled out
//   append_html(out, "<b>", Lines::keep);              // "&lt;b&gt;"
//
// Both give valid UTF-8. In blocks of text invalid bytes become U+FFFD, one for each
// maximal ill-formed part (the WHATWG rule); in names each is spelled as \xff, so that
// two names never look the same.
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "twinset/visible.h"

namespace twinset {

/// Appends `text` for HTML content or a quoted attribute value: as
/// append_visible, with & < > " ' as character references.
void append_html(std::string& out, std::string_view text, Lines lines);

inline std::string html_text(std::string_view text, Lines lines = Lines::spell) {
  std::string out;
  append_html(out, text, lines);
  return out;
}

/// visible_name() for HTML.
std::string html_name(std::string_view text, std::size_t most_bytes = most_name_bytes);

/// A text's beginning on one line, about twelve words unless it may have more; as read.
std::string first_words(std::string_view text, std::size_t most_bytes = 76);

/// The longest prefix of at most `bytes` bytes that does not cut a character,
/// and the longest such suffix.
std::string_view whole_prefix(std::string_view text, std::size_t bytes);
std::string_view whole_suffix(std::string_view text, std::size_t bytes);

}  // namespace twinset

// Makes hostile text harmless in HTML, by the rules of twinset/visible.h, which does the same for a
// terminal.
//
//   append_visible(out, "red \x1b[31m", Lines::keep);  // "red \x1b[31m", spelled out
//   append_html(out, "<b>", Lines::keep);              // "&lt;b&gt;"
//
// Both give valid UTF-8. In blocks of text invalid bytes become U+FFFD, one for each maximal
// ill-formed part (the WHATWG rule); in names each is spelled as \xff, so that different names
// never look the same.
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

/// A text's first words on one line, about twelve unless `most_bytes` allows more; not escaped.
std::string first_words(std::string_view text, std::size_t most_bytes = 76);

/// The longest prefix, or suffix, of at most `bytes` bytes that does not cut a character.
std::string_view whole_prefix(std::string_view text, std::size_t bytes);
std::string_view whole_suffix(std::string_view text, std::size_t bytes);

}  // namespace twinset

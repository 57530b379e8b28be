// Makes text from outside safe to print: a terminal shows ids, file names and documents, but obeys
// none of their bytes.
//
//   visible_text("red \x1b[31m")   // red \x1b[31m, spelled out in plain characters
//
// Control characters (C0, DEL, C1), bidirectional controls, line and paragraph
// separators, invisible marks, tag characters and noncharacters are spelled as \x1b
// or \u{202e}. The result is valid UTF-8.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace twinset {

enum class Lines : std::uint8_t {
  keep,  ///< line feed and tab stay, "\r\n" becomes "\n"; invalid UTF-8 becomes U+FFFD
  spell  ///< they are spelled as \n, \t, \r, invalid bytes as \xff: for names on one line
};

/// Appends `text`, safe for a terminal.
void append_visible(std::string& out, std::string_view text, Lines lines);

inline std::string visible_text(std::string_view text, Lines lines = Lines::spell) {
  std::string out;
  append_visible(out, text, lines);
  return out;
}

/// An id, name or option value on one line; bytes after `most_bytes` are only counted ("... 1.2 MB
/// more").
inline constexpr std::size_t most_name_bytes = 400;
std::string visible_name(std::string_view text, std::size_t most_bytes = most_name_bytes);

}  // namespace twinset

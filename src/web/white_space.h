// White space made one: two texts that differ only in how their lines are broken and indented get
// the same bytes.
//
//   collapse_white_space("\t<div\n  class=a>  x ", out);   // "<div class=a> x"
//
// White space is that of HTML: space, tab, line feed, form feed, carriage return.
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

namespace twinset {

/// Bytes beyond the text that may be written to `out`.
inline constexpr std::size_t white_space_slack_bytes = 64;

constexpr bool is_white_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\f' || c == '\r';
}

/// Writes `text` with each run of white space as one space and none at its ends; returns the
/// number of bytes, at most text.size(). `out` has room for that and the slack, and is not `text`.
std::size_t collapse_white_space(std::string_view text, char* out);

/// The first line feed at `from` or later that white space follows, in the next line or in place of
/// it; the size of the text if there is none.
std::size_t find_line_before_white_space(std::string_view text, std::size_t from);

}  // namespace twinset

// Character classes of a byte: ASCII, whatever the locale.
//
// Threads: pure functions.
#pragma once

namespace twinset {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace twinset

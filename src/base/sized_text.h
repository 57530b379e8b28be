// Strings after their sizes, in files.
//
//   append_sized("a.org", out);
//   if (!take_sized(rest, text)) ...         // damaged
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/varint.h"

namespace twinset {

inline void append_sized(std::string_view text, std::string& out) {
  append_varint(text.size(), out);
  out += text;
}

/// Removes a string from the front of `rest`; false if there is none of at most so many bytes.
/// `text` is a string, or a view of `rest`.
template <class Text>
bool take_sized(std::span<const std::uint8_t>& rest, Text& text, std::size_t most = SIZE_MAX) {
  std::uint64_t size = 0;
  if (!take_varint(rest, size) || size > rest.size() || size > most) return false;
  const auto length = static_cast<std::size_t>(size);
  text = Text(reinterpret_cast<const char*>(rest.data()), length);
  rest = rest.subspan(length);
  return true;
}

}  // namespace twinset

// What makes one emoji of several characters: a look at the bytes before one of them. `at` points
// to the character's first byte, and `before` bytes can be read in front of it.
//
//   keycap_base(at, 4)  // 4 where "1", a variation selector and a keycap stand
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace twinset::emoji {

/// How many bytes before a keycap (U+20E3) its digit, # or * begins, with a variation selector
/// between or without; 0 if there is none.
inline std::uint32_t keycap_base(const std::uint8_t* at, std::size_t before) {
  const auto is_base = [](std::uint8_t byte) {
    return (byte >= '0' && byte <= '9') || byte == '#' || byte == '*';
  };
  if (before >= 1 && is_base(at[-1])) return 1;
  return before >= 4 && std::memcmp(at - 3, "\xEF\xB8\x8F", 3) == 0 && is_base(at[-4]) ? 4 : 0;
}

/// Does a zero width joiner stand there?
inline bool after_joiner(const std::uint8_t* at, std::size_t before) {
  return before >= 3 && std::memcmp(at - 3, "\xE2\x80\x8D", 3) == 0;
}

/// Does a regional indicator stand there? Two are a flag.
inline bool after_regional(const std::uint8_t* at, std::size_t before) {
  return before >= 4 && std::memcmp(at - 4, "\xF0\x9F\x87", 3) == 0 && at[-1] >= 0xA6 &&
         at[-1] <= 0xBF;
}

/// U+1F3F4: characters that are dropped elsewhere, tags, tell which flag it is.
inline constexpr std::uint32_t black_flag = 0x1F3F4;
inline bool is_tag(std::uint32_t code_point) { return code_point - 0xE0020 < 0x5F; }

}  // namespace twinset::emoji

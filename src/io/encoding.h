// Text in UTF-16 or UTF-32, announced by a byte order mark, as UTF-8.
//
//   marked_encoding("\xff\xfeh\0i\0")        // Encoding::utf16_le
//   decode_text(Encoding::utf16_le, bytes, room)   // "hi"
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace twinset {

enum class Encoding : std::uint8_t { utf8, utf16_le, utf16_be, utf32_le, utf32_be };

/// The encoding whose mark `bytes` begins with; utf8 without one (or with the mark of UTF-8).
Encoding marked_encoding(std::string_view bytes);

/// "UTF-16" or "UTF-32" as iconv calls them; "UTF-8".
std::string_view encoding_name(Encoding encoding);

/// Room that decode_text() needs for so many bytes.
constexpr std::size_t decoded_room(std::size_t bytes) { return bytes + bytes / 2 + 4; }

/// `bytes` without their mark, as UTF-8 in `room`, which has decoded_room() bytes.
/// Halves of surrogate pairs, values past U+10FFFF and a cut-off end become U+FFFD each. UTF-8 is
/// copied unchanged, without its mark.
std::string_view decode_text(Encoding encoding, std::string_view bytes, char* room);

}  // namespace twinset

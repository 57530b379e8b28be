// This file's interface is io/encoding.h; the rest is private.
#include "io/encoding.h"

#include <algorithm>

#include "text/utf8.h"

namespace twinset {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view utf8_mark = "\xef\xbb\xbf";

/// The unit of `width` bytes at `at`.
std::uint32_t unit_at(std::string_view bytes, std::size_t at, std::size_t width, bool big_endian) {
  std::uint32_t unit = 0;
  for (std::size_t i = 0; i < width; ++i) {
    const std::size_t from = big_endian ? i : width - 1 - i;
    unit = unit << 8 | static_cast<std::uint8_t>(bytes[at + from]);
  }
  return unit;
}

bool is_surrogate(std::uint32_t unit) { return unit >= 0xd800 && unit < 0xe000; }

char* append(std::uint32_t code_point, char* out) {
  if (code_point > 0x10ffff || is_surrogate(code_point)) code_point = utf8::replacement;
  return out + utf8::encode(code_point, reinterpret_cast<std::uint8_t*>(out));
}

char* decode_utf16(std::string_view bytes, bool big_endian, char* out) {
  std::size_t at = 0;
  while (at + 2 <= bytes.size()) {
    std::uint32_t code_point = unit_at(bytes, at, 2, big_endian);
    at += 2;
    if (code_point >= 0xd800 && code_point < 0xdc00 && at + 2 <= bytes.size()) {
      const std::uint32_t low = unit_at(bytes, at, 2, big_endian);
      if (low >= 0xdc00 && low < 0xe000) {
        code_point = 0x10000 + ((code_point - 0xd800) << 10) + (low - 0xdc00);
        at += 2;
      }
    }
    out = append(code_point, out);
  }
  return at < bytes.size() ? append(utf8::replacement, out) : out;
}

char* decode_utf32(std::string_view bytes, bool big_endian, char* out) {
  std::size_t at = 0;
  for (; at + 4 <= bytes.size(); at += 4) out = append(unit_at(bytes, at, 4, big_endian), out);
  return at < bytes.size() ? append(utf8::replacement, out) : out;
}

}  // namespace

Encoding marked_encoding(std::string_view bytes) {
  // UTF-32 first: its mark begins with the mark of UTF-16.
  if (bytes.starts_with("\xff\xfe\0\0"sv)) return Encoding::utf32_le;
  if (bytes.starts_with("\0\0\xfe\xff"sv)) return Encoding::utf32_be;
  if (bytes.starts_with("\xff\xfe"sv)) return Encoding::utf16_le;
  if (bytes.starts_with("\xfe\xff"sv)) return Encoding::utf16_be;
  return Encoding::utf8;
}

std::string_view encoding_name(Encoding encoding) {
  switch (encoding) {
    case Encoding::utf8:
      return "UTF-8";
    case Encoding::utf16_le:
    case Encoding::utf16_be:
      return "UTF-16";
    case Encoding::utf32_le:
    case Encoding::utf32_be:
      return "UTF-32";
  }
  return "UTF-8";
}

std::string_view decode_text(Encoding encoding, std::string_view bytes, char* room) {
  char* end = room;
  switch (encoding) {
    case Encoding::utf8:
      if (bytes.starts_with(utf8_mark)) bytes.remove_prefix(utf8_mark.size());
      end = std::copy(bytes.begin(), bytes.end(), room);
      break;
    case Encoding::utf16_le:
    case Encoding::utf16_be:
      end = decode_utf16(bytes.substr(2), encoding == Encoding::utf16_be, room);
      break;
    case Encoding::utf32_le:
    case Encoding::utf32_be:
      end = decode_utf32(bytes.substr(4), encoding == Encoding::utf32_be, room);
      break;
  }
  return {room, static_cast<std::size_t>(end - room)};
}

}  // namespace twinset

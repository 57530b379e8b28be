// UTF-8, one code point at a time, for bytes that may not be UTF-8.
//
//   utf8::Decoded d = utf8::decode(text, position);
//   // "\xE2\x82": d.valid == false, d.bytes == 2: one replacement
//
// Bytes that are not UTF-8 are read as the Encoding Standard and Unicode (section 3.9,
// "substitution of maximal subparts") say: the longest prefix of a well-formed
// sequence, or else a single byte, becomes one U+FFFD.
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace twinset::utf8 {

inline constexpr std::uint32_t replacement = 0xFFFD;
inline constexpr std::size_t max_bytes = 4;

struct Decoded {
  std::uint32_t code_point = replacement;
  std::uint32_t bytes = 1;  ///< bytes read, at least 1
  bool valid = false;
};

/// The code point at text[position]. Range: position < text.size().
inline Decoded decode(std::string_view text, std::size_t position) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[position + i]); };
  const std::size_t available = text.size() - position;
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  if (lead < 0xC2 || lead > 0xF4) return {};

  const std::uint32_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  // The second byte's range excludes overlong forms, surrogates, and code points past U+10FFFF;
  // later bytes have the whole range.
  std::uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  std::uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  std::uint32_t code_point = lead & (0x7Fu >> length);
  for (std::uint32_t i = 1; i < length; ++i) {
    if (i >= available || byte(i) < low || byte(i) > high) return {replacement, i, false};
    code_point = code_point << 6 | (byte(i) & 0x3Fu);
    low = 0x80;
    high = 0xBF;
  }
  return {code_point, length, true};
}

/// Writes a code point (at most U+10FFFF) to `out`; returns its length in bytes.
inline std::uint32_t encode(std::uint32_t code_point, std::uint8_t* out) {
  const auto tail = [](std::uint32_t bits) {
    return static_cast<std::uint8_t>(0x80 | (bits & 0x3F));
  };
  if (code_point < 0x80) {
    out[0] = static_cast<std::uint8_t>(code_point);
    return 1;
  }
  if (code_point < 0x800) {
    out[0] = static_cast<std::uint8_t>(0xC0 | code_point >> 6);
    out[1] = tail(code_point);
    return 2;
  }
  if (code_point < 0x10000) {
    out[0] = static_cast<std::uint8_t>(0xE0 | code_point >> 12);
    out[1] = tail(code_point >> 6);
    out[2] = tail(code_point);
    return 3;
  }
  out[0] = static_cast<std::uint8_t>(0xF0 | code_point >> 18);
  out[1] = tail(code_point >> 12);
  out[2] = tail(code_point >> 6);
  out[3] = tail(code_point);
  return 4;
}

}  // namespace twinset::utf8

// Integers of 1 to 10 bytes: seven bits a byte, the low ones first; all bytes but the last have
// their high bit set.
//
//   append_varint(300, out);            // bytes 0xac 0x02
//   take_varint(rest, value);           // value == 300; rest begins after it
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace twinset {

inline constexpr std::size_t max_varint_bytes = 10;

inline void append_varint(std::uint64_t value, std::string& out) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

/// Removes an integer from the front of `rest`; false if there is none that fits 64 bits.
inline bool take_varint(std::span<const std::uint8_t>& rest, std::uint64_t& value) {
  value = 0;
  for (std::size_t i = 0; i < rest.size() && i < max_varint_bytes; ++i) {
    const std::uint64_t bits = rest[i] & 0x7F;
    if (i == max_varint_bytes - 1 && rest[i] > 1) return false;
    value |= bits << (7 * i);
    if (rest[i] < 0x80) {
      rest = rest.subspan(i + 1);
      return true;
    }
  }
  return false;
}

/// The integer of up to 8 bytes, the low ones first.
inline std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

}  // namespace twinset

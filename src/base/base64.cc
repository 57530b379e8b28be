#include "base/base64.h"

#include <array>
#include <cstring>

namespace twinset {
namespace {

using Pair = std::array<char, 2>;

constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t no_digit = 64;

/// By twelve bits, their two digits.
constexpr auto pairs = [] {
  std::array<Pair, 4096> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = {digits[i >> 6], digits[i & 63]};
  return all;
}();
constexpr auto values = [] {
  std::array<std::uint8_t, 256> all{};
  all.fill(no_digit);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    all[static_cast<std::uint8_t>(digits[i])] = static_cast<std::uint8_t>(i);
  }
  return all;
}();

}  // namespace

void append_base64(std::string& out, std::span<const std::uint8_t> bytes) {
  const std::size_t begin = out.size();
  out.resize(begin + (bytes.size() + 2) / 3 * 4);
  char* to = &out[begin];
  std::size_t i = 0;
  for (; i + 2 < bytes.size(); i += 3, to += 4) {
    const std::uint32_t bits = bytes[i] << 16 | bytes[i + 1] << 8 | bytes[i + 2];
    std::memcpy(to, &pairs[bits >> 12], sizeof(Pair));
    std::memcpy(to + 2, &pairs[bits & 4095], sizeof(Pair));
  }
  if (i == bytes.size()) return;
  const bool two = i + 2 == bytes.size();
  const std::uint32_t bits = bytes[i] << 16 | (two ? bytes[i + 1] << 8 : 0);
  std::memcpy(to, &pairs[bits >> 12], sizeof(Pair));
  to[2] = two ? digits[bits >> 6 & 63] : '=';
  to[3] = '=';
}

std::optional<std::string> from_base64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t held = 0;
  unsigned bits = 0;
  for (const char c : text) {
    const std::uint8_t digit = values[static_cast<std::uint8_t>(c)];
    if (digit == no_digit) return std::nullopt;
    held = held << 6 | digit;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(held >> bits & 0xff);
  }
  return bytes;
}

}  // namespace twinset

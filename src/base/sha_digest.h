// What SHA-1 and SHA-256 have in common (FIPS 180-4, section 5): whole blocks, then the rest with
// its padding and length, then the state as bytes, the highest first.
//
// Threads: a pure function.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace twinset {

inline std::uint32_t load_big_endian(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 |
         std::uint32_t{bytes[2]} << 8 | bytes[3];
}

/// `add_block(data, state)` adds 64 bytes.
template <std::size_t Words, class AddBlock>
std::array<std::uint8_t, 4 * Words> sha_digest(std::string_view bytes,
                                               std::array<std::uint32_t, Words> state,
                                               AddBlock add_block) {
  constexpr std::size_t block_bytes = 64;
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  std::size_t left = bytes.size();
  for (; left >= block_bytes; left -= block_bytes, data += block_bytes) add_block(data, state);

  std::array<std::uint8_t, 2 * block_bytes> last{};
  if (left != 0) std::memcpy(last.data(), data, left);
  last[left] = 0x80;
  const std::size_t end = left + 9 <= block_bytes ? block_bytes : 2 * block_bytes;
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (std::size_t i = 0; i < 8; ++i) {
    last[end - 1 - i] = static_cast<std::uint8_t>(bits >> (8 * i));
  }
  for (std::size_t at = 0; at < end; at += block_bytes) add_block(last.data() + at, state);

  std::array<std::uint8_t, 4 * Words> digest;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<std::uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
  }
  return digest;
}

}  // namespace twinset

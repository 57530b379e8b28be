// The standard's own steps: 80 rounds over blocks of 16 big-endian words; the last block or two are
// filled with a one bit, zeros, and the length in bits.
//
// This file's interface is base/sha1.h.
#include "base/sha1.h"

#include <bit>
#include <cstring>

namespace twinset {
namespace {

constexpr std::size_t block_bytes = 64;

using State = std::array<std::uint32_t, 5>;

std::uint32_t load_big_endian(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 |
         std::uint32_t{bytes[2]} << 8 | bytes[3];
}

void add_block(const std::uint8_t* block, State& state) {
  std::array<std::uint32_t, 80> words;
  for (std::size_t i = 0; i < 16; ++i) words[i] = load_big_endian(block + 4 * i);
  for (std::size_t i = 16; i < 80; ++i) {
    words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
  }
  std::uint32_t a = state[0];
  std::uint32_t b = state[1];
  std::uint32_t c = state[2];
  std::uint32_t d = state[3];
  std::uint32_t e = state[4];
  const auto round = [&](std::uint32_t choice, std::uint32_t constant, std::uint32_t word) {
    const std::uint32_t next = std::rotl(a, 5) + choice + e + constant + word;
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  };
  for (std::size_t i = 0; i < 20; ++i) round((b & c) | (~b & d), 0x5a827999, words[i]);
  for (std::size_t i = 20; i < 40; ++i) round(b ^ c ^ d, 0x6ed9eba1, words[i]);
  for (std::size_t i = 40; i < 60; ++i) {
    round((b & c) | (b & d) | (c & d), 0x8f1bbcdc, words[i]);
  }
  for (std::size_t i = 60; i < 80; ++i) round(b ^ c ^ d, 0xca62c1d6, words[i]);
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
}

}  // namespace

std::array<std::uint8_t, 20> sha1(std::string_view bytes) {
  State state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
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

  std::array<std::uint8_t, 20> digest;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<std::uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
  }
  return digest;
}

}  // namespace twinset

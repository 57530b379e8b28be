// The standard's own steps: 80 rounds over blocks of 16 big-endian words.
//
// This file's interface is base/sha1.h.
#include "base/sha1.h"

#include <bit>

#include "base/sha_digest.h"

namespace twinset {
namespace {

using State = std::array<std::uint32_t, 5>;

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
  return sha_digest(bytes, State{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0},
                    add_block);
}

}  // namespace twinset

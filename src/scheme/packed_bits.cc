// Values whose size is a power of two of bits never straddle bytes, so 64 bits are compared at a
// time: XOR, fold each value's bits onto its lowest, count zeros. The words are hashed first
// because a bin's smallest value has zeros in its high bits.
//
// This file's interface is scheme/packed_bits.h; the rest is private.
#include "scheme/packed_bits.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstring>

namespace twinset {
namespace {

constexpr std::uint32_t kept_multiplier = 0x9e3779b1;

template <unsigned bits>
void pack(std::span<const std::uint32_t> words, std::uint8_t* out) {
  constexpr std::size_t in_byte = 8 / bits;
  for (std::size_t i = 0; i < words.size(); i += in_byte) {
    std::uint32_t byte = 0;
    for (std::size_t j = 0; j < in_byte; ++j) {
      byte |= words[i + j] * kept_multiplier >> (32 - bits) << (bits * j);
    }
    *out++ = static_cast<std::uint8_t>(byte);
  }
}

/// Sets the lowest bit of each `bits`-bit field that is not zero.
template <unsigned bits>
std::uint64_t nonzero_fields(std::uint64_t x) {
  if constexpr (bits >= 8) x |= x >> 4;
  if constexpr (bits >= 4) x |= x >> 2;
  if constexpr (bits >= 2) x |= x >> 1;
  constexpr std::uint64_t lowest = ~std::uint64_t{0} / ((std::uint64_t{1} << bits) - 1);
  return x & lowest;
}

template <unsigned bits>
std::uint32_t count_differing(const std::uint8_t* a, const std::uint8_t* b, std::size_t words) {
  // Byte-wide counters hold 255, and a word adds at most 8 / bits to each.
  constexpr std::uint64_t every_byte = 0x0101010101010101ULL;
  constexpr std::size_t run = 31;
  std::uint64_t count = 0;
  for (std::size_t begin = 0; begin < words; begin += run) {
    std::uint64_t counters = 0;
    const std::size_t end = std::min(words, begin + run);
    for (std::size_t i = begin; i < end; ++i) {
      std::uint64_t x;
      std::uint64_t y;
      std::memcpy(&x, a + 8 * i, 8);
      std::memcpy(&y, b + 8 * i, 8);
      std::uint64_t fields = nonzero_fields<bits>(x ^ y);
      if constexpr (bits == 1) {
        fields -= fields >> 1 & 0x5555555555555555ULL;
      }
      if constexpr (bits <= 2) {
        fields = (fields & 0x3333333333333333ULL) + (fields >> 2 & 0x3333333333333333ULL);
      }
      if constexpr (bits <= 4) {
        fields = (fields & 0x0f0f0f0f0f0f0f0fULL) + (fields >> 4 & 0x0f0f0f0f0f0f0f0fULL);
      }
      counters += fields;
    }
    constexpr std::uint64_t even_bytes = 0x00ff00ff00ff00ffULL;
    const std::uint64_t sums = (counters & even_bytes) + (counters >> 8 & even_bytes);
    count += sums * (every_byte & even_bytes) >> 48;
  }
  return static_cast<std::uint32_t>(count);
}

template <unsigned bits>
std::uint32_t matching(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
  const auto fields = static_cast<std::uint32_t>(a.size() * 8 / bits);
  return fields - count_differing<bits>(a.data(), b.data(), a.size() / 8);
}

}  // namespace

void pack_bits(std::span<const std::uint32_t> words, unsigned bits, std::span<std::uint8_t> out) {
  assert(words.size() * bits % 8 == 0 && out.size() == words.size() * bits / 8);
  switch (bits) {
    case 1:
      return pack<1>(words, out.data());
    case 2:
      return pack<2>(words, out.data());
    case 4:
      return pack<4>(words, out.data());
    default:
      assert(bits == 8);
      return pack<8>(words, out.data());
  }
}

std::uint32_t count_matching(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
                             unsigned bits) {
  assert(a.size() == b.size() && a.size() % 8 == 0);
  switch (bits) {
    case 1:
      return matching<1>(a, b);
    case 2:
      return matching<2>(a, b);
    case 4:
      return matching<4>(a, b);
    default:
      assert(bits == 8);
      return matching<8>(a, b);
  }
}

}  // namespace twinset

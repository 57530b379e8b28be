// Integers in stored sketches: little-endian bytes on every machine.
//
// Threads: pure functions, except for their outputs.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace twinset {

/// The integer at `bytes`, which has `sizeof(Integer)` of them.
template <class Integer>
Integer load_little_endian(const std::uint8_t* bytes) {
  std::uint8_t ordered[sizeof(Integer)];
  std::memcpy(ordered, bytes, sizeof ordered);
  if constexpr (std::endian::native == std::endian::big) std::ranges::reverse(ordered);
  return std::bit_cast<Integer>(ordered);
}

/// Appends the bytes of all `values`.
template <class Integer>
void append_little_endian(std::span<const Integer> values, std::vector<std::uint8_t>& out) {
  const std::size_t begin = out.size();
  out.resize(begin + values.size_bytes());
  if (values.empty()) return;
  std::memcpy(out.data() + begin, values.data(), values.size_bytes());
  if constexpr (std::endian::native == std::endian::big) {
    for (std::size_t i = begin; i < out.size(); i += sizeof(Integer)) {
      std::reverse(out.begin() + static_cast<std::ptrdiff_t>(i),
                   out.begin() + static_cast<std::ptrdiff_t>(i + sizeof(Integer)));
    }
  }
}

}  // namespace twinset

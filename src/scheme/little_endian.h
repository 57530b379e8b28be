// Integers in stored sketches: little-endian bytes on every machine.
//
// Threads: pure functions but for their outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace twinset {

/// Appends the `sizeof(Integer)` bytes of `value`.
template <class Integer>
void append_little_endian(Integer value, std::vector<std::uint8_t>& out) {
  for (std::size_t i = 0; i < sizeof(Integer); ++i) {
    out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
}

/// The integer at `bytes`, which has `sizeof(Integer)` of them.
template <class Integer>
Integer load_little_endian(const std::uint8_t* bytes) {
  Integer value = 0;
  for (std::size_t i = 0; i < sizeof(Integer); ++i) {
    value |= static_cast<Integer>(static_cast<Integer>(bytes[i]) << (8 * i));
  }
  return value;
}

}  // namespace twinset

// The bytes of plain values, as files hold them.
//
//   file.append(bytes_of(header));
//   file.append(bytes_of(std::span(lengths)));
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace twinset {

template <class T>
concept PlainValue = std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>;

/// They live as long as the value.
template <PlainValue T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}
template <PlainValue T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

/// The same bytes, unsigned.
inline std::span<const std::uint8_t> byte_span(std::string_view bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

}  // namespace twinset

// Two whole numbers with a character between them: "3/8", "100x16".
//
//   number_pair("3/8", '/')      {3, 8}
//   number_pair("3/", '/')       nullopt
//
// Threads: a pure function.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace twinset {

/// Nullopt if `text` is anything else, or a number does not fit.
inline std::optional<std::pair<std::uint64_t, std::uint64_t>> number_pair(std::string_view text,
                                                                          char between) {
  std::pair<std::uint64_t, std::uint64_t> numbers;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, numbers.first);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != between) return {};
  const auto second = std::from_chars(first.ptr + 1, end, numbers.second);
  if (second.ec != std::errc() || second.ptr != end) return {};
  return numbers;
}

}  // namespace twinset

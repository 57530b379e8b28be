// The place of a token in its text.
//
// Threads: values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace twinset {

/// A token's bytes in the document's text: [begin, end).
struct TokenOffsets {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool operator==(const TokenOffsets&) const = default;
};

/// The bytes from the first to the last of some tokens, one at least. Those of a page with shadow
/// trees are in the order in which it is shown, which need not be that of its bytes.
inline TokenOffsets byte_range(std::span<const TokenOffsets> tokens) {
  TokenOffsets all = tokens[0];
  for (const TokenOffsets token : tokens) {
    all = {std::min(all.begin, token.begin), std::max(all.end, token.end)};
  }
  return all;
}

enum class Offsets : std::uint8_t { drop, keep };

}  // namespace twinset

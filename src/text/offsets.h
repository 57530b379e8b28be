// The place of a token in its text.
//
// Threads: values.
#pragma once

#include <cstdint>

namespace twinset {

/// A token's bytes in the document's text: [begin, end).
struct TokenOffsets {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool operator==(const TokenOffsets&) const = default;
};

enum class Offsets : std::uint8_t { drop, keep };

}  // namespace twinset

// What each character looks like, for the analyzer `skeleton`.
//
//   unicode::skeleton(0x430)  // place 17, say: skeleton_string(17) == "a", of a Cyrillic a
//
// The rules are in docs/analyzers.md, their definition in tools/skeleton_table.py.
//
// Threads: pure functions over constant tables, some 40 KB.
#pragma once

#include <cstdint>
#include <string_view>

#include "text/unicode_table.h"

namespace twinset::unicode {

inline constexpr std::uint32_t skeleton_end = table_end;
extern const std::uint8_t skeleton_stage1[skeleton_end / block_size];
extern const std::uint16_t skeleton_stage2[];
extern const std::uint8_t skeleton_strings[];  ///< UTF-8, each after its length

inline constexpr std::uint16_t skeleton_stays = 0;
/// A mark of a script whose words differ by them: stays, unless it stands on an ASCII character.
inline constexpr std::uint16_t skeleton_mark = 0xFFFE;
inline constexpr std::uint16_t skeleton_dropped = 0xFFFF;

/// The place of the character's string, or one of the three constants. Not for ASCII.
inline std::uint16_t skeleton(std::uint32_t code_point) {
  if (code_point >= skeleton_end) {
    return rule(code_point) == rules::ignorable ? skeleton_dropped : skeleton_stays;
  }
  const std::uint32_t block = skeleton_stage1[code_point / block_size];
  return skeleton_stage2[block * block_size + code_point % block_size];
}

inline std::string_view skeleton_string(std::uint16_t place) {
  return {reinterpret_cast<const char*>(&skeleton_strings[place + 1]), skeleton_strings[place]};
}

}  // namespace twinset::unicode

// The colors of a terminal.
//
// Threads: constants.
#pragma once

#include <string_view>

namespace twinset {

inline constexpr std::string_view red = "\x1b[31m";
inline constexpr std::string_view green = "\x1b[32m";
inline constexpr std::string_view blue = "\x1b[34m";
inline constexpr std::string_view dim = "\x1b[2m";
inline constexpr std::string_view bold = "\x1b[1m";
inline constexpr std::string_view plain = "\x1b[0m";

}  // namespace twinset

// "documents  1,234": a name and a value on a line, the values one below the other.
//
// Threads: pure functions.
#pragma once

#include <algorithm>
#include <string>

namespace twinset {

/// The value begins at column `columns`, or a blank after a longer name.
inline std::string named_line(const std::string& name, const std::string& value,
                              std::size_t columns) {
  std::string padded = name;
  padded.resize(std::max(columns, name.size() + 1), ' ');
  return padded + value + "\n";
}

}  // namespace twinset

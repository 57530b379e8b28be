// The df files of src/stats/tables, as CMake lists and embeds them.
//
// Threads: constants.
#pragma once

#include <span>
#include <string_view>

namespace twinset {

struct BuiltInTable {
  std::string_view name;   ///< of the file, without .df
  std::string_view bytes;  ///< docs/formats/df.md
};

/// By name.
std::span<const BuiltInTable> listed_tables();

}  // namespace twinset

// The lists that verbs write, which their results have as tables (read_list() of twinset/look.h).
//
// Threads: those that have the interpreter.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "door.h"

namespace twinset::python {

/// Where a verb's lists are.
enum class HeldIn : std::uint8_t {
  folder,  ///< of the output alone
  memory,  ///< there, too, but tables over texts in memory, for which no folder is needed
  lines    ///< the verb's lines are the list
};
const char* name_of(HeldIn held);

struct VerbLists {
  HeldIn held = HeldIn::folder;
  std::vector<const char*> names{};  ///< as a result's attributes are called
};
VerbLists lists_of(std::string_view verb);

/// Adds table_of() and table_of_lines() to the module.
void add_lists(nb::module_& module);

}  // namespace twinset::python

// Declared options as keywords: described for signatures, and set to values as they are typed.
//
// Threads: those that have the interpreter.
#pragma once

#include <vector>

#include "door.h"
#include "twinset/option.h"

namespace twinset::python {

/// A tuple for each: (name, usage, kind, default, help, default in words, words or None, required,
/// whether its values name files or folders, whether these are inputs).
nb::list described(const std::vector<Option>& options);

/// Sets the options that `settings` has, each a str or a list of str. Raises twinset.Error.
void set_options(const std::vector<Option>& options, const nb::dict& settings);

}  // namespace twinset::python

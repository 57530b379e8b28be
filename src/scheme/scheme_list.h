// The generated list of schemes: every src/scheme/schemes/<stem>.cc defines
// `extern const SchemeEntry <stem>_scheme`, and CMake writes their list
// (cmake/lists.cmake). A constant list, and not self-registration, because a
// linker drops objects that nothing names from a static library.
//
// Threads: immutable.
#pragma once

#include <span>

#include "scheme/scheme.h"

namespace twinset {

/// The files of the folder, by name. schemes() is the public name of it.
std::span<const SchemeEntry* const> listed_schemes();

}  // namespace twinset

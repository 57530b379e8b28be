// The generated list of schemes: every src/scheme/schemes/<stem>.cc defines
// `extern const SchemeEntry <stem>_scheme`, and CMake writes their list
// (cmake/lists.cmake). The list is a constant, not self-registration, because a linker drops
// objects of a static library that nothing names.
//
// Threads: immutable.
#pragma once

#include <span>

#include "scheme/scheme.h"

namespace twinset {

/// The files of the folder, by name. schemes() is its public name.
std::span<const SchemeEntry* const> listed_schemes();

}  // namespace twinset

// The formats of src/io/formats, as CMake lists them: a file x.cc there defines
// `extern const FormatEntry x_format`.
//
// Threads: constants.
#pragma once

#include <span>

#include "io/reader.h"

namespace twinset {

/// The files of the folder, by name. formats() is its public name.
std::span<const FormatEntry* const> listed_formats();

}  // namespace twinset

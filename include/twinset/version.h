// The version of twinset.
//
// Threads: pure function.
#pragma once

#include <string_view>

namespace twinset {

/// As in "0.1.0"; semantic versioning, of the command line and of this shelf.
std::string_view version();

}  // namespace twinset

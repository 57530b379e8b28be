// What a file is: an input (format, records, bad ones), a file twinset made for
// itself (header, rows), or the output folder of a run.
//
// Threads: pure but for reading.
#pragma once

#include <string>

#include "twinset/result.h"

namespace twinset {

/// Reads `path` through and describes it in a few lines. Errors: io; usage if
/// there is no such file.
Result<std::string> inspect(const std::string& path);

}  // namespace twinset

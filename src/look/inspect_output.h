// Describes a file of an output folder, such as removed.jsonl.zst, in a few lines. It knows
// the file by its first line, or an empty one by its name.
//
// Threads: any; the functions only read.
#pragma once

#include <string>

#include "system/files.h"
#include "twinset/look.h"
#include "twinset/result.h"

namespace twinset {

/// Empty if `path` is none of these files. Errors: io (the file is damaged).
Result<FileFacts> inspect_output_file(FileSystem& files, const std::string& path);

/// The folder of a finished run, which has a summary.json.
Result<FileFacts> inspect_output_folder(FileSystem& files, const std::string& path);

}  // namespace twinset

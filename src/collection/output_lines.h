// Reads back the lines of an output folder's files, a JSON object each.
//
// Threads: belongs to one.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "io/json_read.h"
#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

/// Calls `use` for each line of a file of an output folder (.zst or plain), with its line
/// end, until it returns false. Errors (io): the file cannot be read to its end.
Status for_each_raw_line(FileSystem& files, const std::string& path,
                         const std::function<Result<bool>(std::string_view raw)>& use);

/// The same with parsed lines. Errors (io) also: a line is not JSON.
Status for_each_line(FileSystem& files, const std::string& path,
                     const std::function<Result<bool>(JsonNode line)>& use);

}  // namespace twinset

// Reads back the lines of an output folder's files, a JSON object each.
//
// Threads: belongs to one.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "io/field_json.h"
#include "io/json_read.h"
#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

/// Calls `use` for each line of a file of an output folder (.zst or plain), with its line
/// end, until it returns false. Errors (io): the file cannot be read to its end.
Status for_each_raw_line(FileSystem& files, const std::string& path,
                         const std::function<Result<bool>(std::string_view raw)>& use);

/// The same with each line as a T, whose views are valid until the next line. Errors (io) also: a
/// line has other fields, or none.
template <class T, class Use>
Status for_each_value(FileSystem& files, const std::string& path, const Use& use) {
  FieldLine<T> line;
  std::uint64_t number = 0;
  return for_each_raw_line(files, path, [&](std::string_view raw) -> Result<bool> {
    TWINSET_TRY(line.read(raw, path + ":" + std::to_string(++number)));
    return use(*line);
  });
}

/// The same with parsed lines. Errors (io) also: a line is not JSON.
Status for_each_line(FileSystem& files, const std::string& path,
                     const std::function<Result<bool>(JsonNode line)>& use);

}  // namespace twinset

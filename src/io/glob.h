// Patterns of file names, as a shell expands them, over a FileSystem.
//
//   expand_glob(files, "crawl/*/part-[0-9]*.jsonl.gz")
//
// `*`, `?` and `[...]` match within one name and never a leading dot; `**` means
// the same as `*`.
//
// Threads: pure, except for the FileSystem.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

/// Does `path` contain a character that makes it a pattern?
bool is_glob(std::string_view path);

/// The paths that match, in byte order of their parts; empty if none does.
/// Folders that can't be listed match nothing.
Result<std::vector<std::string>> expand_glob(FileSystem& files, const std::string& pattern);

}  // namespace twinset

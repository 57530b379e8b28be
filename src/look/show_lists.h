// Shows the folders that rank what they found: of detect the worst pages and neighborhoods, of
// spans the texts with the most text that stands at an earlier place.
//
// Threads: reads only.
#pragma once

#include <atomic>
#include <optional>

#include "system/files.h"
#include "twinset/look.h"
#include "twinset/result.h"

namespace twinset {

/// nullopt if the folder is of another verb, or none. Errors: usage (options for clusters and
/// pairs), io, interrupted.
Result<std::optional<Shown>> show_lists(FileSystem& files, const ShowOptions& options,
                                        const std::atomic<bool>* cancel);

}  // namespace twinset

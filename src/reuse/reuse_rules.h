// How a run cuts pages and places them, from its options: shared by discovery and detection.
//
// Threads: pure functions.
#pragma once

#include <string>

#include "labels/label_file.h"
#include "reuse/page_reader.h"
#include "system/files.h"
#include "twinset/result.h"
#include "twinset/reuse.h"
#include "web/chunks.h"

namespace twinset {

/// Error (usage) if --repeats is out of range.
Status check_page_settings(const PageSettings& pages);

/// Opens the stop chunks of a run that cuts by `rules`. A stop chunk may be shorter than the run's
/// chunks. Errors: usage (other rules, naming both), io.
Result<LabelFile> open_stop_chunks(FileSystem& files, const std::string& path,
                                   const ChunkRules& rules);

}  // namespace twinset

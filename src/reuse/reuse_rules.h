// How a run cuts pages and places them, from its options: shared by discovery and detection.
//
// Threads: pure functions.
#pragma once

#include <memory>
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

/// How pages are cut and placed, with the stop chunks that the rule points to.
struct PageCutting {
  PageRule rule;
  std::unique_ptr<LabelFile> stop;  ///< null: there are none
};

/// `stop` is their file, or empty. Errors: as open_stop_chunks().
Result<PageCutting> page_cutting(FileSystem& files, const ChunkRules& chunks,
                                 const PageSettings& pages, const std::string& stop);

}  // namespace twinset

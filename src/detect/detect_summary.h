// summary.json of a detection: written, and read again from a finished folder.
//
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "detect/detections.h"
#include "io/json_read.h"
#include "system/files.h"
#include "twinset/result.h"
#include "twinset/reuse.h"

namespace twinset {

std::string_view badness_name(Badness badness);

/// `stop_hash`: of the content of the file of stop chunks; empty: there is none.
std::string detect_summary_json(const DetectSummary& summary, const DetectOptions& options,
                                std::string_view stop_hash, std::string_view identity);

/// A folder that detection made, by its summary.
struct DetectedFolder {
  std::string folder;
  std::string json;  ///< its summary
  DetectSummary summary;
  DetectOptions options;
  std::string stop_hash;
  std::string identity;
  DetectCounts counts;
};

/// Sets the numbers of `summary` to those of a summary's JSON, without the ranked ones.
void read_detect_numbers(const JsonNode& made, DetectSummary& summary);

/// Errors: usage (detection made no such folder), io (damaged).
Result<DetectedFolder> read_detected_folder(FileSystem& files, const std::string& folder);

}  // namespace twinset

// A finished folder of detection, read again by its summary.json.
//
//   TWINSET_ASSIGN(const DetectedFolder part, read_detected_folder(files, "copies"));
//
// Threads: values.
#pragma once

#include <string>

#include "detect/detections.h"
#include "system/files.h"
#include "twinset/result.h"
#include "twinset/reuse.h"

namespace twinset {

struct DetectedFolder {
  std::string folder;
  DetectSummary summary;  ///< without the ranked pages and neighborhoods
  DetectOptions options;
  DetectCounts counts;
};

/// Errors: usage (detection made no such folder), io (damaged).
Result<DetectedFolder> read_detected_folder(FileSystem& files, const std::string& folder);

}  // namespace twinset

#include "detect/detected_folder.h"

#include "detect/detect_fields.h"
#include "run/summary.h"

namespace twinset {

Result<DetectedFolder> read_detected_folder(FileSystem& files, const std::string& folder) {
  DetectedFolder read;
  read.folder = folder;
  read.folder = folder_path(std::move(read.folder));
  const std::string not_detected = read.folder + " is no folder that detect made";
  TWINSET_ASSIGN(const std::optional<SummaryFile> file, find_summary_file(files, read.folder));
  if (!file.has_value()) return usage_error(not_detected + ": it has no summary.json");
  if (file->verb != "detect") {
    return usage_error(not_detected + ", but one of " +
                       (file->verb.empty() ? std::string("another program") : file->verb));
  }
  TWINSET_TRY(file->read(read.summary, read.options));
  const DetectSummary& summary = read.summary;
  read.counts = {
      summary.pages,         summary.recursion_errors, summary.chunks,
      summary.short_chunks,  summary.stop_chunks,      summary.labeled_chunks,
      summary.labeled_pages, summary.labeled_files,    summary.pages - summary.page_threshold.of};
  return read;
}

}  // namespace twinset

// Where a run writes, checked before it reads: the output folder is apart from the inputs, a report
// can be made, and every other file to make is new and apart from the rest.
//
//   const OutputPaths paths(verb, files);
//   TWINSET_TRY(paths.check_new_files());
//   TWINSET_TRY(paths.check_apart(options.inputs, collection));
//
// A path that exists is an error: nothing is overwritten.
//
// Threads: values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "run/job.h"
#include "system/files.h"

namespace twinset {

/// The absolute path without links, as far as it exists, and without slashes at its end.
std::string normal_path(const std::string& path);

/// True if `path` is `folder` or lies below it; both are normal paths.
bool within(const std::string& path, const std::string& folder);

/// What the input is, in words, if some of its records, one after another, make no file: "a table",
/// "an array", "one document". Empty if they do.
std::string_view no_stream(const Source& source);

class OutputPaths {
 public:
  /// Both must outlive it.
  OutputPaths(const VerbOptions& verb, FileSystem& files) : verb_(verb), files_(files) {}

  /// Those of VerbOptions::new_files, and the report of a run that makes no folder. Errors: usage,
  /// io.
  Status check_new_files() const;
  /// The output must not be an input, be in an input folder, or contain an input; nor may a report.
  Status check_apart(const std::vector<std::string>& inputs, const Collection& collection) const;

  /// The report's folder must be there now, not only after all the work; in the output, the report
  /// is a file right in it. Errors: usage, io.
  Status check_report_path() const;
  /// Of a run that begins: one that continues may have made its report already.
  Status check_report_is_new() const;
  /// The report of a finished run must still exist.
  Status check_report_stands() const;
  /// Reports a name that is too long or a folder without permission before the work, not after it.
  Status check_report_can_be_written(const std::string& path) const;
  /// The work path of a report inside the output; empty if it is elsewhere.
  std::string report_in_work_folder() const;

 private:
  std::vector<std::string> report_paths() const;
  Status check_output_name(const Source& source) const;

  const VerbOptions& verb_;
  FileSystem& files_;
};

}  // namespace twinset

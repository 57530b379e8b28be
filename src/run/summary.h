// summary.json of every verb: the fields of its result and the options of its run.
//
//   summary.json = summary_json(summary, options);          // a struct that fields_of() knows
//   TWINSET_ASSIGN(const std::optional<SummaryFile> file, find_summary_file(files, "clean"));
//   if (file.has_value() && file->verb == "dedup") TWINSET_TRY(file->read(summary, options));
//
// docs/formats/summary.md describes it. Everything but "run" depends on inputs and options only.
//
// Threads: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/field_json.h"
#include "io/json.h"
#include "io/json_read.h"
#include "system/files.h"
#include "twinset/field.h"
#include "twinset/option.h"
#include "twinset/run.h"

namespace twinset {

/// The fields of a result with those of its run's options, as the member "options" before "files".
/// To read them the values of `options` must be the defaults.
std::vector<Field> with_options(std::vector<Field> fields, std::vector<Option> options);

/// By value: options_of() takes an object that may be changed.
template <class Summary, class Options>
std::string summary_json(Summary& summary, Options options) {
  return fields_json(with_options(fields_of(summary), options_of(options)), JsonLayout::lines);
}

/// A summary.json as far as it is the same for every verb.
struct SummaryFile {
  std::string path;
  std::string json;
  std::string verb;  ///< empty: it is not a summary, or one of a version before any release

  /// Sets `summary` and `options`, whose values must be the defaults. Error (io): the file is
  /// damaged, or not of the verb that makes such a summary.
  template <class Summary, class Options>
  Status read(Summary& summary, Options& options) const {
    TWINSET_TRY(read_fields(json, path, with_options(fields_of(summary), options_of(options))));
    summary.json = json;
    return {};
  }
};

/// Reads the summary of the run that made `folder`; nothing if it has none. Errors: io.
Result<std::optional<SummaryFile>> find_summary_file(FileSystem& files, const std::string& folder);

/// The number that fingerprint_text() wrote; 0 if `text` is not one.
std::uint64_t read_fingerprint_text(std::string_view text);

}  // namespace twinset

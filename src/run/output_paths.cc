#include "run/output_paths.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/message.h"
#include "collection/output_files.h"
#include "io/inputs.h"
#include "run/workspace.h"

namespace twinset {

std::string normal_path(const std::string& path) {
  std::error_code failed;
  const auto full =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path, failed), failed);
  return folder_path(failed ? path : full.string());
}

bool within(const std::string& path, const std::string& folder) {
  return path == folder || (path.size() > folder.size() && path.starts_with(folder) &&
                            (path[folder.size()] == '/' || folder == "/"));
}

std::string_view no_stream(const Source& source) {
  if (source.rows) return "a table";
  const FormatEntry* const format = find_format(source.format);
  if (format != nullptr && format->wrap != nullptr) return "an array";
  return source.one_document ? "one document" : "";
}

Status OutputPaths::check_new_files() const {
  std::vector<NewFile> made = verb_.new_files;
  if (verb_.works_in != WorksIn::folder) {
    for (const std::string& path : report_paths()) made.push_back({"report", path});
  }
  for (auto one = made.begin(); one != made.end(); ++one) {
    if (one->path.empty()) continue;
    TWINSET_TRY(check_new_file(files_, one->option, one->path));
    const std::string path = normal_path(one->path);
    const auto same = std::find_if(made.begin(), one, [&](const NewFile& other) {
      return !other.path.empty() && normal_path(other.path) == path;
    });
    if (same == one) continue;
    return usage_error(option(same->option) + " and " + option(one->option) + " would both make " +
                       one->path + "; choose another name");
  }
  return {};
}

Status OutputPaths::check_apart(const std::vector<std::string>& inputs,
                                const Collection& collection) const {
  const bool makes_folder = verb_.works_in == WorksIn::folder;
  const std::string output = normal_path(verb_.output);
  for (const std::vector<std::string>* arguments : {&inputs, &verb_.references}) {
    for (const std::string& argument : *arguments) {
      if (makes_folder && !is_standard_input(argument) && within(output, normal_path(argument))) {
        return usage_error("the output " + verb_.output + " lies in the input " + argument +
                           "; choose an " + option("output") + " elsewhere");
      }
    }
  }
  for (const Source& source : collection.sources()) {
    if (source.path.empty()) continue;
    if (makes_folder && within(normal_path(source.path), output)) {
      return usage_error("the input " + source.shown + " lies in the output " + verb_.output +
                         "; choose another " + option("output"));
    }
    for (const std::string& path : report_paths()) {
      if (normal_path(source.path) != normal_path(path)) continue;
      return usage_error(option("report", path) + " is an input; choose another name");
    }
    if (makes_folder) TWINSET_TRY(check_output_name(source));
  }
  return makes_folder ? check_report_path() : Status();
}

/// An input's name in the output must not be that of one of twinset's own files.
Status OutputPaths::check_output_name(const Source& source) const {
  if (source.is_protected() || !verb_.writes_records) return {};
  std::vector<std::string> own = verb_.own_names;
  own.emplace_back(quarantine_file);
  own.emplace_back(summary_file);
  const std::string output = normal_path(verb_.output);
  for (const std::string& path : report_paths()) {
    if (within(normal_path(path), output))
      own.push_back(normal_path(path).substr(output.size() + 1));
  }
  const bool taken = std::any_of(own.begin(), own.end(), [&](const std::string& name) {
    return within(source.name, name) || within(source.name, name + ".partial");
  });
  if (!taken) return {};
  return usage_error("the input " + source.shown + " would be written as " + source.name +
                     ", a name of twinset's own; rename it or use " + option("emit", "ids"));
}

/// The page and its facts; empty without a report.
std::vector<std::string> OutputPaths::report_paths() const {
  if (verb_.report.empty()) return {};
  return {verb_.report, facts_path(verb_.report)};
}

Status OutputPaths::check_report_path() const {
  if (verb_.report.empty()) return {};
  const std::string report = normal_path(verb_.report);
  const std::string output = normal_path(verb_.output);
  if (within(report, output)) {
    const std::string name = report.substr(std::min(report.size(), output.size() + 1));
    if (name.empty() || name.find('/') != std::string::npos ||
        name.find('.') == std::string::npos || !name.ends_with(".html")) {
      return usage_error(option("report") + " inside the output is a file right in it, such as " +
                         verb_.output + "/report.html");
    }
    if (facts_path(name) != summary_file) return check_name_of(report);
    return usage_error(option("report", verb_.report) + " would write its facts over " +
                       verb_.output + "/" + std::string(summary_file) + "; choose another name");
  }
  return check_folder_of(files_, verb_.report);
}

Status OutputPaths::check_report_is_new() const {
  for (const std::string& path : report_paths()) {
    TWINSET_TRY(check_missing(files_, "report", path));
  }
  return {};
}

Status OutputPaths::check_report_stands() const {
  for (const std::string& path : report_paths()) {
    TWINSET_ASSIGN(FileStatus there, files_.status(path));
    if (there.kind == FileStatus::Kind::regular) continue;
    return io_error(verb_.output + " is no longer complete: its report " + path +
                    " is missing. Remove " + verb_.output +
                    " and run the same command again to make it anew");
  }
  return {};
}

Status OutputPaths::check_report_can_be_written(const std::string& path) const {
  if (path.empty()) return {};
  for (const std::string& file : {path, facts_path(path)}) {
    const Status writable = check_writable(files_, file);
    if (!writable.ok())
      return io_error(option("report", verb_.report) + ": " + writable.error().message);
  }
  return {};
}

std::string OutputPaths::report_in_work_folder() const {
  const std::string output = normal_path(verb_.output);
  const std::string report = normal_path(verb_.report);
  if (verb_.report.empty() || !within(report, output)) return "";
  return verb_.output + ".partial/out" + report.substr(output.size());
}

}  // namespace twinset

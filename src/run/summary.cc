#include "run/summary.h"

#include <algorithm>
#include <charconv>

#include "run/options_json.h"
#include "run/run_fields.h"
#include "run/workspace.h"

namespace twinset {

std::vector<Field> with_options(std::vector<Field> fields, std::vector<Option> options) {
  const auto files = std::find_if(fields.begin(), fields.end(),
                                  [](const Field& field) { return field.name == "files"; });
  fields.insert(
      files,
      {"options",
       JsonForm{[options] { return json_of(options, OptionRole::recorded); },
                [options](std::string_view json) -> Status {
                  TWINSET_ASSIGN(const JsonNode made, read_json(json, "options"));
                  for (const Option& option : options) {
                    if (read_options(made, {option}, {}).ok()) continue;
                    return io_error("has no valid value of " + option.name());
                  }
                  return {};
                }},
       Unit::text,
       "the options that decide the output, defaults filled in. Each has its name on the command "
       "line, with `_` for `-`; the inputs are `inputs`. One that is not given and has no default "
       "is `\"\"`"});
  return fields;
}

Result<std::optional<SummaryFile>> find_summary_file(FileSystem& files, const std::string& folder) {
  SummaryFile file;
  file.path = folder + "/" + std::string(summary_file);
  TWINSET_ASSIGN(const FileStatus status, files.status(file.path));
  if (status.kind != FileStatus::Kind::regular) return std::optional<SummaryFile>();
  TWINSET_ASSIGN(file.json, read_result_file(files, file.path));
  TWINSET_ASSIGN(const JsonNode made, read_json(file.json, file.path));
  file.verb = made["run"]["verb"].text();
  return std::optional<SummaryFile>(std::move(file));
}

std::uint64_t read_fingerprint_text(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, failed] = std::from_chars(text.data(), end, value, 16);
  return failed == std::errc() && at == end ? value : 0;
}

}  // namespace twinset

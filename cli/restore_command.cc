// twinset restore: gets removed records back from the inputs.
#include <optional>

#include "options.h"
#include "record_output.h"
#include "twinset/look.h"

namespace twinset::cli {
namespace {

int run_restore(RestoreOptions& options) {
  std::optional<RecordOutput> records;
  if (options.output == "-") options.output.clear();
  RunControl control = run_control();
  if (options.output.empty()) control.kept = &records.emplace();
  Result<RestoreSummary> done = restore(options, control);
  if (done.ok() && records.has_value()) {
    const Status closed = records->close();
    if (!closed.ok()) done = closed.error();
  }
  if (!done.ok()) {
    if (!records.has_value() || !records->reader_left()) return fail(done.error());
    return static_cast<int>(done.error().code);
  }
  for (const std::string& note : done.value().notes) say("twinset: " + note);
  say("twinset: restored " + counted(done.value().records, "record") +
      (options.output.empty() ? "" : " to " + options.output));
  return 0;
}

}  // namespace

void add_restore(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RestoreOptions>();
  CLI::App& verb =
      add_verb(app, "restore", "print removed records again, byte for byte, out of the inputs",
               {{"twinset restore clean crawl.jsonl.gz:2", "prints record 2 of the input"},
                {"twinset restore clean --all -o removed",
                 "writes all removed records to a folder, under the inputs' own names"}});
  add_options(verb, {options_of(*options)});
  verb.callback([options, &exit_code] { exit_code = run_restore(*options); });
}

}  // namespace twinset::cli

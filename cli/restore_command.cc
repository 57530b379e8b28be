// twinset restore: removed records, back out of the inputs.
#include <optional>

#include "common.h"
#include "record_output.h"
#include "twinset/restore.h"

namespace twinset::cli {
namespace {

int run(RestoreOptions& options) {
  std::optional<RecordOutput> records;
  if (options.to == "-") options.to.clear();
  RunControl control{&interrupted(), nullptr, nullptr};
  if (options.to.empty()) control.kept = &records.emplace();
  Result<RestoreSummary> done = restore(options, control);
  if (done.ok() && records.has_value()) {
    const Status closed = records->close();
    if (!closed.ok()) done = closed.error();
  }
  if (!done.ok()) {
    if (!records.has_value() || !records->reader_left()) return fail(done.error());
    return static_cast<int>(done.error().code);
  }
  const std::uint64_t count = done.value().records;
  say("twinset: restored " + with_separators(count) + (count == 1 ? " record" : " records") +
      (options.to.empty() ? "" : " to " + options.to) + "\n");
  return 0;
}

}  // namespace

void add_restore(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RestoreOptions>();
  CLI::App& verb = *app.add_subcommand(
      "restore", "removed records back out of the inputs, byte for byte, to standard output");
  verb.add_option("DIR", options->output, "folder that dedup made")->required();
  verb.add_option("RECORD", options->records, "ids of removed records, or FILE:RECORD");
  verb.add_flag("--all", options->all, "every removed record");
  verb.add_option("-o,--output", options->to,
                  "folder to make, with the inputs' own names [standard output]");
  verb.callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace twinset::cli

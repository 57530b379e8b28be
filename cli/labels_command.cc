// twinset labels: files of labels shown, merged, and made from lists.
#include "options.h"
#include "twinset/labels.h"

namespace twinset::cli {
namespace {

enum class LabelsAction : std::uint8_t { show, merge, import };

struct LabelsArguments {
  LabelsAction action = LabelsAction::show;
  LabelsOptions options;
  Talk talk;
};

int run_labels(const LabelsArguments& arguments) {
  const Talk& talk = arguments.talk;
  const RunControl control = run_control();
  const auto print_lines = [](std::string_view lines) -> Status {
    print_bytes(lines);
    return {};
  };
  const LabelsOptions& options = arguments.options;
  const bool shows = arguments.action == LabelsAction::show;
  const Result<LabelsSummary> done = shows ? show_labels(options, talk.json, print_lines, control)
                                     : arguments.action == LabelsAction::merge
                                         ? merge_labels(options, control)
                                         : import_labels(options, control);
  if (!done.ok()) return fail(done.error());
  if (talk.json) {
    if (!shows) print_bytes(to_json(done.value()));
  } else if (!talk.quiet) {
    print((shows ? "\n" : "") + to_text(done.value()));
  }
  return 0;
}

}  // namespace

void add_labels(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<LabelsArguments>();
  CLI::App& verb = add_verb(
      app, "labels", "show, merge and make files of labels: known chunks and files",
      {{"twinset labels show january.labels --top 20", "prints the 20 most frequent labels"},
       {"twinset labels merge january.labels february.labels -o both.labels",
        "what both have, counts summed"},
       {"twinset labels show both.labels --top 500 --json > stop.jsonl",
        "lines to pick from, for a list of stop chunks"},
       {"twinset labels import stop.jsonl -o stop.labels", "makes a file of the lines left"}});
  std::vector<Option> own{required(
      {.usage = "action ACTION",
       .member = Choice(&arguments->action, {"show", "merge", "import"}),
       .help = "show: print a file of labels; merge: make one of several; import: make one of "
               "lists"})};
  Talk& talk = arguments->talk;
  add_options(
      verb,
      {own,
       options_of(arguments->options),
       {{"--json", &talk.json, OptionRole::unrecorded, Heading::output,
         "show: a JSON object a line; merge, import: the summary as one"},
        {"-q, --quiet", &talk.quiet, OptionRole::unrecorded, Heading::output, "no summary"}}});
  verb.callback([arguments, &exit_code] { exit_code = run_labels(*arguments); });
}

}  // namespace twinset::cli

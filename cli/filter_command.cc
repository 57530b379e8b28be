// twinset filter: messages held against prototypes, as they come.
#include "answer.h"
#include "options.h"
#include "twinset/filter.h"

namespace twinset::cli {
namespace {

struct FilterArguments {
  FilterOptions options;
  Talk talk;
};

int run_filter(const FilterArguments& arguments) {
  const FilterOptions& options = arguments.options;
  const bool writes = options.listen.empty() && options.output.empty();
  if (!options.listen.empty() && options.inputs.empty() && !arguments.talk.quiet) {
    say("twinset: serves " + options.listen + " until it is interrupted");
  }
  return answer(
      arguments.talk, options.input, writes ? Records::in_output : Records::none,
      [&](const RunControl& control) { return filter(options, control); },
      [](const FilterSummary& summary) {
        Answer answer{.json = to_json(summary), .text = to_text(summary)};
        for (const std::string& bad : summary.bad_records) answer.said.push_back("left out " + bad);
        return answer;
      });
}

}  // namespace

void add_filter(CLI::App& app, std::string command, int& exit_code) {
  auto arguments = std::make_shared<FilterArguments>();
  arguments->options.command = std::move(command);
  CLI::App& verb =
      add_verb(app, "filter", "hold messages against prototypes, such as known spam, as they come",
               {{"twinset filter mails.jsonl --prototypes spam.jsonl > verdicts.jsonl",
                 "a line {id, file, record, verdict, prototype} for each message"},
                {"twinset filter - --prototypes spam.jsonl --emit pass < in.jsonl > clean.jsonl",
                 "lets through what is like none of the prototypes"},
                {"twinset filter --set spam.index --listen filter.sock --expire-unused 90",
                 "serves a mail server, and takes prototypes from it; Ctrl-C ends it"}});
  add_options(verb, {options_of(arguments->options), lines_options(arguments->talk)});
  verb.callback([arguments, &exit_code] { exit_code = run_filter(*arguments); });
}

}  // namespace twinset::cli

// twinset track: how pages change, move, live and die, by their versions.
#include "answer.h"
#include "options.h"
#include "twinset/index.h"

namespace twinset::cli {
namespace {

struct TrackArguments {
  TrackOptions options;
  Talk talk;
};

int run_track(const TrackArguments& arguments) {
  const TrackOptions& options = arguments.options;
  return answer(
      arguments.talk, options.input, Records::none,
      [&](const RunControl& control) { return track(options, control); },
      [&](const TrackSummary& summary) {
        return Answer{.json = summary.json,
                      .text = to_text(summary),
                      .places = {{"output", options.output}, {"report", options.report}}};
      });
}

}  // namespace

void add_track(CLI::App& app, std::string command, int& exit_code) {
  auto arguments = std::make_shared<TrackArguments>();
  arguments->options.command = std::move(command);
  CLI::App& verb =
      add_verb(app, "track", "tell how pages change, move, live and die, from their versions",
               {{"twinset track crawl.jsonl --url url --date date -o changes",
                 "compares each version of a page with the one before it"},
                {"twinset track crawl.jsonl --url url --date date --changes -o edits",
                 "has versions only of days on which a page changed"}});
  add_options(verb, {options_of(arguments->options), options_of(arguments->talk)});
  verb.callback([arguments, &exit_code] { exit_code = run_track(*arguments); });
}

}  // namespace twinset::cli

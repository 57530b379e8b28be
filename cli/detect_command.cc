// twinset detect: the pages that hold known chunks, and the neighborhoods where copying is common.
#include "answer.h"
#include "options.h"
#include "twinset/reuse.h"

namespace twinset::cli {
namespace {

struct DetectArguments {
  DetectOptions options;
  Talk talk;
};

int run_detect(const DetectArguments& arguments) {
  const DetectOptions& options = arguments.options;
  const Talk& talk = arguments.talk;
  return answer(
      talk, options.input, Records::none,
      [&](const RunControl& control) { return detect(options, control); },
      [&](const DetectSummary& summary) {
        const bool verbose = talk.verbose && !summary.already_done;
        return Answer{.json = to_json(summary, options.badness),
                      .text = to_text(summary, options.badness, verbose),
                      .escaped = true,
                      .places = {{"output", options.output}, {"report", options.report}}};
      });
}

}  // namespace

void add_detect(CLI::App& app, std::string command, int& exit_code) {
  auto arguments = std::make_shared<DetectArguments>();
  arguments->options.command = std::move(command);
  CLI::App& verb = add_verb(
      app, "detect", "find the pages that hold known chunks, and where copying is common",
      {{"twinset detect crawl.warc.gz -L wikipedia.labels",
        "prints the pages with the largest share of known chunks, then the worst neighborhoods"},
       {"twinset detect crawl.warc.gz -L wikipedia.labels -o copies --report cp.html",
        "also writes all of them, and every match, to copies/"},
       {"twinset detect --merge monday tuesday -o week",
        "makes the folder of one run of the folders of two parts of a crawl"}});
  add_options(verb, {options_of(arguments->options), options_of(arguments->talk)});
  verb.callback([arguments, &exit_code] { exit_code = run_detect(*arguments); });
}

}  // namespace twinset::cli

// twinset detect: the pages that hold known chunks, and the neighborhoods where copying is common.
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
  std::unique_ptr<ProgressSink> progress = make_progress(talk);
  const Result<DetectSummary> done =
      detect(options, RunControl{&interrupted(), progress.get(), nullptr});
  progress.reset();  // the bar goes before anything else is printed
  if (!done.ok()) return fail(done.error());
  const DetectSummary& summary = done.value();
  if (!summary.already_done) print_facts(summary, talk);
  if (talk.json) {
    print_bytes(to_json(summary, options.badness));
  } else if (!talk.quiet) {
    print_escaped(to_text(summary, options.badness));
  }
  if (summary.already_done) {
    say_already_done(options.output, summary, talk);
    return exit_code_of(summary, options.input);
  }
  if (!talk.json && !talk.quiet) {
    if (talk.verbose) print("\n" + engine_text(summary));
    if (!options.output.empty()) print("\noutput in " + options.output + "\n");
    if (!options.report.empty()) print("report in " + options.report + "\n");
  }
  return exit_code_of(summary, options.input);
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

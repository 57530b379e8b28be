// twinset discover: what pages have again and again, or what is known, as a file of labels.
#include "options.h"
#include "twinset/reuse.h"

namespace twinset::cli {
namespace {

struct DiscoverArguments {
  DiscoverOptions options;
  Talk talk;
};

int run_discover(const DiscoverArguments& arguments) {
  const DiscoverOptions& options = arguments.options;
  const Talk& talk = arguments.talk;
  std::unique_ptr<ProgressSink> progress = make_progress(talk);
  const Result<DiscoverSummary> done =
      discover(options, RunControl{&interrupted(), progress.get(), nullptr});
  progress.reset();  // the bar goes before anything else is printed
  if (!done.ok()) return fail(done.error());
  const DiscoverSummary& summary = done.value();
  print_facts(summary, talk);
  for (const std::string& bad : summary.bad_records) warn(talk, "could not read " + bad);
  if (talk.json) {
    print_bytes(to_json(summary));
  } else if (!talk.quiet) {
    print_escaped(to_text(summary));
    if (talk.verbose) print("\n" + engine_text(summary));
    print("\nlabels in " + options.output + "\n");
    if (!options.plot.empty()) print("plot in " + options.plot + "\n");
    if (!options.report.empty()) print("report in " + options.report + "\n");
  }
  return exit_code_of(summary, options.input);
}

}  // namespace

void add_discover(CLI::App& app, std::string command, int& exit_code) {
  auto arguments = std::make_shared<DiscoverArguments>();
  arguments->options.command = std::move(command);
  CLI::App& verb = add_verb(
      app, "discover", "label the chunks and files that pages have again and again, or known ones",
      {{"twinset discover crawl.warc.gz -o crawl.labels",
        "labels chunks seen more than 100,000 times, and files more than 1,000 times"},
       {"twinset discover --from wikipedia.warc.gz -o wikipedia.labels",
        "labels all that the pages have, to find their copies with twinset detect"},
       {"twinset discover crawl.warc.gz -o small.labels --over-chunks 50 --plot s.svg",
        "for a small crawl, with a drawing of what is seen how often"}});
  add_options(verb, {options_of(arguments->options), options_of(arguments->talk)});
  verb.callback([arguments, &exit_code] { exit_code = run_discover(*arguments); });
}

}  // namespace twinset::cli

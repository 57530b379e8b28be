// twinset discover: what pages have again and again, or what is known, as a file of labels.
#include "answer.h"
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
  return answer(
      talk, options.input, Records::none,
      [&](const RunControl& control) { return discover(options, control); },
      [&](const DiscoverSummary& summary) {
        Answer answer{.json = to_json(summary),
                      .text = to_text(summary, talk.verbose),
                      .escaped = true,
                      .places = {{"labels", options.output}, {"report", options.report}}};
        for (const std::string& bad : summary.bad_records) {
          answer.said.push_back("warning: could not read " + bad);
        }
        return answer;
      });
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
       {"twinset discover crawl.warc.gz -o s.labels --over-chunks 50 --report s.html",
        "for a small crawl, with plots of what is seen how often"}});
  add_options(verb, {options_of(arguments->options), options_of(arguments->talk)});
  verb.callback([arguments, &exit_code] { exit_code = run_discover(*arguments); });
}

}  // namespace twinset::cli

// twinset phish: the pages that imitate known ones, such as those of URLs from mail.
#include "answer.h"
#include "options.h"
#include "twinset/phish.h"

namespace twinset::cli {
namespace {

struct PhishArguments {
  PhishOptions options;
  Talk talk;
};

int run_phish(const PhishArguments& arguments) {
  const PhishOptions& options = arguments.options;
  const Talk& talk = arguments.talk;
  return answer(
      talk, options.input, Records::none,
      [&](const RunControl& control) { return phish(options, control); },
      [&](const PhishSummary& summary) {
        Answer answer{.json = to_json(summary),
                      .json_lines = true,
                      .text = to_text(summary, talk.verbose),
                      .escaped = true};
        for (const std::string& bad : summary.bad_records) answer.said.push_back("left out " + bad);
        if (talk.json && summary.imitations > summary.found.size()) {
          answer.said.push_back(with_separators(summary.imitations - summary.found.size()) +
                                " more pages imitate a known one; --top shows them");
        }
        return answer;
      });
}

}  // namespace

void add_phish(CLI::App& app, std::string command, int& exit_code) {
  auto arguments = std::make_shared<PhishArguments>();
  arguments->options.command = std::move(command);
  CLI::App& verb =
      add_verb(app, "phish", "find the pages of other sites that imitate known ones",
               {{"twinset phish bank.labels from_mail.warc.gz",
                 "prints the pages that hold parts of the bank's, the largest share first"},
                {"twinset phish bank.labels from_mail.warc.gz --min-share 0.5 --json",
                 "only pages half of whose parts are the bank's, as JSON"}});
  add_options(verb, {options_of(arguments->options), options_of(arguments->talk)});
  verb.callback([arguments, &exit_code] { exit_code = run_phish(*arguments); });
}

}  // namespace twinset::cli

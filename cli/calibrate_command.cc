// twinset calibrate: a threshold from the user's own documents.
#include "answer.h"
#include "options.h"
#include "twinset/calibrate.h"

namespace twinset::cli {
namespace {

struct CalibrateArguments {
  CalibrateOptions options;
  Talk talk;
};

int run_calibrate(const CalibrateArguments& arguments) {
  return answer(
      arguments.talk, arguments.options.input, Records::none,
      [&](const RunControl& control) { return calibrate(arguments.options, control); },
      [](const Calibration& calibration) {
        return Answer{
            .json = to_json(calibration), .text = to_text(calibration), .even_if_quiet = true};
      });
}

}  // namespace

void add_calibrate(CLI::App& app, std::string command, int& exit_code) {
  auto arguments = std::make_shared<CalibrateArguments>();
  arguments->options.command = std::move(command);
  CLI::App& verb = add_verb(
      app, "calibrate", "choose a scheme's threshold from your own documents, and check the choice",
      {{"twinset calibrate crawl.jsonl.gz --scheme simhash --labels topic -o x.profile",
        "chooses a distance for each length; cluster and dedup take it: --profile x.profile"},
       {"twinset calibrate crawl.jsonl.gz --scheme simhash -r 0.8",
        "without labels: judged by exact resemblance, and by planted copies"}});
  add_options(verb, {options_of(arguments->options), answer_options(arguments->talk)});
  verb.callback([arguments, &exit_code] { exit_code = run_calibrate(*arguments); });
}

}  // namespace twinset::cli

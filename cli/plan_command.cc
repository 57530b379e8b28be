// twinset plan: what a run would find and cost, before it is run.
#include <fmt/core.h>

#include <map>

#include "common.h"
#include "twinset/plan.h"

namespace twinset::cli {
namespace {

struct PlanArguments {
  PlanOptions options;
  bool json = false;
  bool quiet = false;
};

int run(const PlanArguments& arguments) {
  std::unique_ptr<ProgressSink> progress = make_progress(arguments.quiet);
  const Result<Plan> done =
      plan(arguments.options, RunControl{&interrupted(), progress.get(), nullptr});
  progress.reset();  // the bar goes before anything else is printed
  if (!done.ok()) return fail(done.error());
  print_facts(done.value());
  fmt::print("{}", arguments.json ? plan_json(done.value()) : plan_text(done.value()));
  return exit_code_of(done.value(), arguments.options.input);
}

}  // namespace

void add_plan(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<PlanArguments>();
  PlanOptions& options = arguments->options;
  CLI::App& verb = *app.add_subcommand(
      "plan", "what dedup or cluster would find and cost, from one reading; writes nothing");
  verb.add_option("IN", options.inputs,
                  "JSONL (.gz, .zst), text files, folders, globs; - is standard input")
      ->required();
  const std::map<std::string, PlannedRun> runs{{"dedup", PlannedRun::dedup},
                                               {"cluster", PlannedRun::cluster}};
  verb.add_option("--for", options.run, "the run that is planned [dedup]")
      ->transform(CLI::Transformer(runs).description(""))
      ->type_name("dedup|cluster");
  add_input_options(verb, options.input);
  add_ratio(verb, "--resemblance,-r", options.resemblance, "as the run's [0.8; for cluster 0.5]")
      ->group("As of the run");
  verb.add_option("--scheme", options.scheme, "as the run's [fss; for cluster mod(samples=64)]")
      ->group("As of the run");
  verb.add_option("--analyzer", options.analyzer, "how text becomes tokens")
      ->capture_default_str()
      ->group("As of the run");
  add_count(verb, "--min-tokens", options.min_tokens, "shorter documents are filtered out")
      ->group("As of the run");
  add_count(verb, "--max-group", options.max_group,
            "counted shingles in more documents are common and left out (0: none)")
      ->capture_default_str()
      ->group("As of the run");
  add_count(verb, "--seed", options.seed, "seed of the sketches")->group("As of the run");
  verb.add_flag("--json", arguments->json, "as JSON")->group("Output");
  verb.add_flag("--quiet,-q", arguments->quiet, "no progress")->group("Output");
  add_resource_options(verb, options.resources);
  verb.callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace twinset::cli

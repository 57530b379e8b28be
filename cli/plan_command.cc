// twinset plan: what a run would find and cost, before it is run.
#include "options.h"
#include "twinset/plan.h"

namespace twinset::cli {
namespace {

struct PlanArguments {
  PlanOptions options;
  Talk talk;
};

int run_plan(const PlanArguments& arguments) {
  std::unique_ptr<ProgressSink> progress = make_progress(arguments.talk);
  const Result<Plan> done =
      plan(arguments.options, RunControl{&interrupted(), progress.get(), nullptr});
  progress.reset();  // the bar goes before anything else is printed
  if (!done.ok()) return fail(done.error());
  print_facts(done.value(), arguments.talk);
  if (arguments.talk.json) {
    print_bytes(plan_json(done.value()));
  } else {
    print(plan_text(done.value()));
  }
  return exit_code_of(done.value(), arguments.options.input);
}

}  // namespace

void add_plan(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<PlanArguments>();
  PlanOptions& options = arguments->options;
  CLI::App& verb = add_verb(
      app, "plan", "predict what dedup or cluster would find and cost; writes nothing",
      {{"twinset plan crawl.jsonl.gz", "reads the file once and predicts copies, memory and time"},
       {"twinset plan crawl.jsonl.gz --for cluster -r 0.6", "the same for a run of cluster"}});
  add_inputs(verb, options.inputs);
  add_choice<PlannedRun, PlannedRun>(
      verb, "--for", options.run, {{"dedup", PlannedRun::dedup}, {"cluster", PlannedRun::cluster}},
      "verb to make predictions for [dedup]")
      ->group(group::most_used);
  add_ratio(verb, "-r,--resemblance", options.resemblance,
            "threshold of that run [0.8; for cluster 0.5]")
      ->group(group::most_used);
  add_input_options(verb, options.input);
  add_scheme(verb, options.scheme, "scheme of that run [fss; for cluster mod(samples=64)]")
      ->group(group::method);
  add_analyzer(verb, options.analyzer);
  add_count(verb, "--min-tokens", options.min_tokens, "leave out documents of fewer words [0]")
      ->group(group::method);
  add_count(verb, "--max-group", options.max_group,
            "ignore phrases found in more than N documents (0: never) [1000]")
      ->group(group::method);
  add_seed(verb, options.seed);
  add_answer_talk_options(verb, arguments->talk);
  add_resource_options(verb, options.resources);
  verb.callback([arguments, &exit_code] { exit_code = run_plan(*arguments); });
}

}  // namespace twinset::cli

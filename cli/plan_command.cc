// twinset plan: the results and costs of a run, before it is run.
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
    print_bytes(to_json(done.value()));
  } else {
    print(to_text(done.value()));
  }
  return exit_code_of(done.value(), arguments.options.input);
}

}  // namespace

void add_plan(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<PlanArguments>();
  CLI::App& verb = add_verb(
      app, "plan", "predict what dedup or cluster would find and cost; writes nothing",
      {{"twinset plan crawl.jsonl.gz", "reads the file once and predicts copies, memory and time"},
       {"twinset plan crawl.jsonl.gz --for cluster -r 0.6", "the same for a run of cluster"}});
  add_options(verb, {options_of(arguments->options), answer_options(arguments->talk)});
  verb.callback([arguments, &exit_code] { exit_code = run_plan(*arguments); });
}

}  // namespace twinset::cli

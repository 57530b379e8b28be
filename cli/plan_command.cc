// twinset plan: the results and costs of a run, before it is run.
#include "answer.h"
#include "options.h"
#include "twinset/plan.h"

namespace twinset::cli {
namespace {

struct PlanArguments {
  PlanOptions options;
  Talk talk;
};

int run_plan(const PlanArguments& arguments) {
  return answer(
      arguments.talk, arguments.options.input, Records::none,
      [&](const RunControl& control) { return plan(arguments.options, control); },
      [](const Plan& made) {
        return Answer{.json = to_json(made), .text = to_text(made), .even_if_quiet = true};
      });
}

}  // namespace

void add_plan(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<PlanArguments>();
  CLI::App& verb = add_verb(
      app, "plan", "predict what dedup or cluster would find and cost; writes nothing",
      {{"twinset plan crawl.jsonl.gz", "reads the file once and predicts copies, memory and time"},
       {"twinset plan crawl.jsonl.gz --for cluster -r 0.6", "the same for a run of cluster"},
       {"twinset plan crawl.jsonl.gz --cluster 100x16",
        "and what shards on 100 machines would take"}});
  add_options(verb, {options_of(arguments->options), answer_options(arguments->talk)});
  verb.callback([arguments, &exit_code] { exit_code = run_plan(*arguments); });
}

}  // namespace twinset::cli

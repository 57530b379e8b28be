// twinset cluster and twinset recut: similar documents, at any threshold.
#include "answer.h"
#include "options.h"
#include "twinset/cluster.h"

namespace twinset::cli {
namespace {

struct ClusterArguments {
  ClusterOptions options;
  std::string paper;
  Talk talk;
};

struct RecutArguments {
  RecutOptions options;
  Talk talk;
};

int run_cluster(ClusterArguments& arguments) {
  ClusterOptions& options = arguments.options;
  const Talk& talk = arguments.talk;
  if (!arguments.paper.empty()) {
    if (const Status known = use_paper(arguments.paper, options); !known.ok()) {
      return fail(known.error());
    }
  }
  return answer(
      talk, options.input, Records::none,
      [&](const RunControl& control) { return cluster(options, control); },
      [&](const ClusterSummary& summary) {
        return Answer{.json = summary.json,
                      .text = summary.already_done ? "" : to_text(summary, talk.verbose),
                      .places = {{"output", options.output}, {"report", options.report}},
                      .next = next_after(summary, options)};
      });
}

int run_recut(const RecutArguments& arguments) {
  const Result<ClusterSummary> done = recut(arguments.options, run_control());
  if (!done.ok()) return fail(done.error());
  // The inputs that were lost are those of the run that made the folder, which said so.
  InputSettings input;
  input.allow_lost_inputs = true;
  return print_answer(arguments.talk, input, done.value(),
                      {.json = done.value().json,
                       .text = to_text(done.value()),
                       .places = {{"output", arguments.options.output}}});
}

}  // namespace

std::string next_after(const ClusterSummary& summary, const ClusterOptions& options) {
  if (!summary.shard.empty()) return next_after_shard(summary.shard);
  const bool coordinates = summary.check == Check::sketch && summary.tells == Tells::coordinate;
  if (!options.report.empty() || summary.check == Check::none || coordinates) return "";
  return "next: twinset recut " + shell_word(options.output) +
         (summary.distances.empty() ? " -r 0.7 counts the clusters of another threshold\n"
                                    : " --distance 2 counts the clusters of another distance\n");
}

void add_cluster(CLI::App& app, std::string command, int& exit_code) {
  auto arguments = std::make_shared<ClusterArguments>();
  arguments->options.command = std::move(command);
  CLI::App& verb =
      add_verb(app, "cluster", "group documents that are alike, at any threshold; removes none",
               {{"twinset cluster crawl.jsonl.gz -o groups --report groups.html",
                 "writes the clusters to groups/clusters.jsonl.zst and makes a page to look at"},
                {"twinset cluster crawl.jsonl.gz -o groups-0.7 -r 0.7 --shape stars",
                 "every member resembles its cluster's representative by at least 0.7"}});
  const Option paper = offering(
      {"broder97"},
      {"--paper NAME", &arguments->paper, OptionRole::decides, Heading::method,
       "broder97: use that paper's --scheme, --resemblance, --max-group and --floor, and --verify "
       "sketch"});
  add_options(verb, {options_of(arguments->options), options_of(arguments->talk), {paper}});
  verb.callback([arguments, &exit_code] { exit_code = run_cluster(*arguments); });
}

void add_recut(CLI::App& app, std::string command, int& exit_code) {
  auto arguments = std::make_shared<RecutArguments>();
  arguments->options.command = std::move(command);
  CLI::App& verb = add_verb(
      app, "recut", "make the clusters of another threshold from the pairs that cluster kept",
      {{"twinset recut groups -r 0.7", "counts the clusters at 0.7 without reading the texts"},
       {"twinset recut groups -r 0.7 -o groups-again", "also writes them"}});
  Talk& talk = arguments->talk;
  add_options(
      verb,
      {options_of(arguments->options),
       {{"-q, --quiet", &talk.quiet, OptionRole::unrecorded, Heading::output, "print errors only"},
        {"--json", &talk.json, OptionRole::unrecorded, Heading::output,
         "print the summary as JSON"}}});
  verb.callback([arguments, &exit_code] { exit_code = run_recut(*arguments); });
}

}  // namespace twinset::cli

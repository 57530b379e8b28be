// twinset merge: one run of the folders of its shards.
#include "answer.h"
#include "options.h"
#include "twinset/merge.h"

namespace twinset::cli {
namespace {

struct MergeArguments {
  MergeOptions options;
  Talk talk;
};

/// Of the run that its shards make.
template <class Options, class Summary>
int print_run(const Talk& talk, const std::string& output, const Summary& summary) {
  Options options;
  options.output = output;
  return print_answer(talk, options.input, summary,
                      {.json = summary.json,
                       .text = summary.already_done ? "" : to_text(summary, talk.verbose),
                       .places = {{"output", output}},
                       .next = next_after(summary, options)});
}

int run_merge(const MergeArguments& arguments) {
  const Talk& talk = arguments.talk;
  const std::string& output = arguments.options.output;
  std::unique_ptr<ProgressSink> progress = make_progress(talk);
  const Result<MergeSummary> done = merge(arguments.options, run_control(progress.get()));
  progress.reset();  // the bar goes before anything else is printed
  if (!done.ok()) return fail(done.error());
  const MergeSummary& made = done.value();
  return made.dedup ? print_run<DedupOptions>(talk, output, *made.dedup)
                    : print_run<ClusterOptions>(talk, output, *made.cluster);
}

}  // namespace

std::string next_after_shard(const std::string& shard) {
  return "next: when all " + shard.substr(shard.find('/') + 1) +
         " shards are made, twinset merge takes their folders: twinset merge PART... -o DIR\n";
}

void add_merge(CLI::App& app, std::string command, int& exit_code) {
  auto arguments = std::make_shared<MergeArguments>();
  arguments->options.command = std::move(command);
  CLI::App& verb = add_verb(
      app, "merge", "make one run of the folders that dedup or cluster --shard I/N left",
      {{"twinset dedup dumps --shard 1/2 -o parts/1",
        "reads the first half of the files of dumps/; the same command with 2/2 and parts/2, on "
        "another machine or later, the second"},
       {"twinset merge parts/1 parts/2 -o merged",
        "makes the folder of one run over all of dumps/, byte for byte"}});
  add_options(verb, {options_of(arguments->options), options_of(arguments->talk)});
  verb.callback([arguments, &exit_code] { exit_code = run_merge(*arguments); });
}

}  // namespace twinset::cli

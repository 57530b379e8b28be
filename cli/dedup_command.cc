// twinset dedup: the main job.
#include <unistd.h>

#include "answer.h"
#include "options.h"
#include "twinset/dedup.h"
#include "twinset/evaluate.h"
#include "twinset/files.h"

namespace twinset::cli {
namespace {

struct DedupArguments {
  DedupOptions options;
  Talk talk;
  std::string config;  ///< of text-dedup
  Status config_read;
  std::vector<std::string> without_counterpart;  ///< keys of it
};

/// Sets the options that the configuration has and that are not typed.
Status take_config(CLI::App& verb, DedupArguments& arguments, const std::string& path) {
  verb.get_option("IN")->required(false);  // Its own name is in the configuration.
  TWINSET_ASSIGN(TextDedupConfig config, read_text_dedup_config(disk(), path));
  for (const Option& option : options_of(arguments.options)) {
    if (verb.get_option(std::string(option.long_flag()))->count() > 0) continue;
    for (const auto& [name, value] : config.options) {
      if (name == option.name()) TWINSET_TRY(option.set(value));
    }
  }
  arguments.without_counterpart = std::move(config.without_counterpart);
  return {};
}

std::vector<std::string> said_of(const DedupSummary& summary) {
  std::vector<std::string> said;
  for (const std::string& bad : summary.bad_records) said.push_back("left out " + bad);
  return said;
}

/// The files that were made.
std::vector<std::pair<std::string, std::string>> places_of(const DedupOptions& options) {
  if (options.dry_run) return {};
  if (options.output.empty()) {
    return {{"kept records", "standard output"}, {"report", options.report}};
  }
  return {{"output", options.output}, {"report", options.report}};
}

/// Kept records go to standard output if the user asked for it, or if no folder is named and
/// standard output is not a terminal. Then everything printed goes to standard error.
bool streams(DedupOptions& options) {
  const bool asked = options.output == "-";
  if (asked) options.output.clear();
  if (options.dry_run || !options.output.empty()) return false;
  return asked || ::isatty(STDOUT_FILENO) != 1;
}

int run_dedup(DedupArguments& arguments) {
  DedupOptions& options = arguments.options;
  const Talk& talk = arguments.talk;
  if (!arguments.config_read.ok()) return fail(arguments.config_read.error());
  if (const auto& keys = arguments.without_counterpart; !keys.empty() && !talk.quiet) {
    std::string named;
    for (const std::string& key : keys) named += (named.empty() ? "" : ", ") + key;
    say("twinset: " + arguments.config + ": no counterpart of " + named);
  }
  const Records records = streams(options) ? Records::in_output : Records::none;
  return answer(
      talk, options.input, records,
      [&](const RunControl& control) { return dedup(options, control); },
      [&](const DedupSummary& summary) {
        return Answer{.json = summary.json,
                      .text = summary.already_done ? "" : to_text(summary, talk.verbose),
                      .said = said_of(summary),
                      .places = places_of(options),
                      .next = next_after(summary, options)};
      });
}

struct EvaluateArguments {
  EvaluateOptions options;
  Talk talk;
};

int run_evaluate(const EvaluateArguments& arguments) {
  return answer(
      arguments.talk, arguments.options.input, Records::none,
      [&](const RunControl& control) { return evaluate(arguments.options, control); },
      [](const Evaluation& evaluation) {
        return Answer{
            .json = to_json(evaluation), .text = to_text(evaluation), .even_if_quiet = true};
      });
}

}  // namespace

std::string next_after(const DedupSummary& summary, const DedupOptions& options) {
  if (options.dry_run) return "\ndry run: nothing was written\n";
  if (!summary.shard.empty()) return next_after_shard(summary.shard);
  if (summary.total.removed() == 0 || options.output.empty()) return "";
  const std::string folder = shell_word(options.output);
  return "next: twinset show " + folder + " lists the largest clusters; twinset explain " + folder +
         " ID shows why a record was removed\n";
}

void add_evaluate(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<EvaluateArguments>();
  CLI::App& verb = add_verb(
      app, "evaluate", "measure recall and precision on your own documents, with planted edits",
      {{"twinset evaluate crawl.jsonl.gz",
        "plants edited copies of a sample and counts how many of them dedup finds"},
       {"twinset evaluate crawl.jsonl.gz --schemes all", "compares all schemes on a sample"}});
  add_options(verb, {options_of(arguments->options), answer_options(arguments->talk)});
  verb.callback([arguments, &exit_code] { exit_code = run_evaluate(*arguments); });
}

void add_dedup(CLI::App& app, std::string command, int& exit_code) {
  auto arguments = std::make_shared<DedupArguments>();
  arguments->options.command = std::move(command);
  CLI::App& verb = add_verb(
      app, "dedup", "keep one of each group of similar documents, with proof for each removal",
      {{"twinset dedup crawl.jsonl.gz -o clean",
        "writes the kept records to clean/crawl.jsonl.gz, byte for byte, and the proofs to "
        "clean/removed.jsonl.zst"},
       {"twinset dedup train.jsonl --against test.jsonl -o clean-train --report a.html",
        "also removes everything that resembles a record of test.jsonl, and makes a page to look "
        "at"}});
  const Option config{
      "--text-dedup-config FILE", &arguments->config, OptionRole::unrecorded, Heading::input,
      "take options from a configuration of text-dedup (TOML); those that are typed "
      "go first"};
  add_options(verb, {options_of(arguments->options), {config}, options_of(arguments->talk)});
  verb.get_option("--text-dedup-config")->each([arguments, &verb](const std::string& path) {
    arguments->config_read = take_config(verb, *arguments, path);
  });
  verb.callback([arguments, &exit_code] { exit_code = run_dedup(*arguments); });
}

}  // namespace twinset::cli

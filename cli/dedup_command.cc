// twinset dedup: the main job.
#include <fmt/core.h>
#include <unistd.h>

#include <optional>

#include "options.h"
#include "record_output.h"
#include "twinset/dedup.h"
#include "twinset/evaluate.h"

namespace twinset::cli {
namespace {

struct DedupArguments {
  DedupOptions options;
  Talk talk;
};

/// "  8,012  removed (16.0 %): 4,000 identical, 4,012 near".
std::string removed_line(const Counts& total) {
  const double percent = total.read == 0 ? 0
                                         : 100.0 * static_cast<double>(total.removed()) /
                                               static_cast<double>(total.read);
  std::string line =
      fmt::format("{:>14}  removed ({:.1f} %)", with_separators(total.removed()), percent);
  const std::pair<const char*, std::uint64_t> kinds[] = {{"identical", total.identical},
                                                         {"lexical", total.lexical},
                                                         {"near", total.near},
                                                         {"contained", total.contained}};
  const char* separator = ": ";
  for (const auto& [name, count] : kinds) {
    if (count == 0) continue;
    line += fmt::format("{}{} {}", separator, with_separators(count), name);
    separator = ", ";
  }
  return line + "\n";
}

std::string records_text(const DedupSummary& summary, bool leaves_folder) {
  const Counts& total = summary.total;
  std::string text;
  if (summary.templates) text += to_text(*summary.templates) + "\n";
  text += fmt::format("{:>14}  records read", with_separators(total.read));
  if (summary.files.size() > 1) text += " in " + counted(summary.files.size(), "file");
  text += fmt::format("\n{:>14}  kept\n", with_separators(total.kept)) + removed_line(total);
  if (total.carried > 0) {
    text += fmt::format("{:>14}  carried: no documents, written as they are\n",
                        with_separators(total.carried));
  }
  if (total.filtered > 0) {
    text += fmt::format("{:>14}  shorter than --min-tokens, left out\n",
                        with_separators(total.filtered));
  }
  if (total.quarantined > 0) {
    text += fmt::format("{:>14}  could not be read{}\n", with_separators(total.quarantined),
                        leaves_folder ? ": see quarantine.jsonl" : "");
  }
  if (summary.without_signature.has_value()) {
    text += without_signature_line(*summary.without_signature);
  }
  if (summary.clusters > 0) {
    text +=
        fmt::format("{:>14}  cluster{}; the largest has {}\n", with_separators(summary.clusters),
                    summary.clusters == 1 ? "" : "s", counted(summary.largest_cluster, "record"));
  }
  return text;
}

/// The engine's part, for --verbose.
std::string matching_text(const DedupSummary& summary) {
  std::string text = "\n" + summary.scheme + "\n";
  if (!summary.plan.empty()) text += summary.plan + "\n";
  text += counted(summary.candidate_pairs, "pair") + " looked alike by a shared key, " +
          with_separators(summary.checked_pairs) + " by their sketches; " +
          with_separators(summary.verified_pairs) +
          (summary.verified_pairs == 1 ? " was" : " were") + " compared in full\n";
  if (summary.repair_rounds > 0) {
    text += counted(summary.repair_pairs, "pair") + " more came from " +
            counted(summary.repair_rounds, "repair round") + "\n";
  }
  return text + engine_text(summary);
}

/// The place of the output, and the next command.
std::string after_dedup(const DedupSummary& summary, const DedupOptions& options) {
  if (options.dry_run) return "\ndry run: nothing was written\n";
  std::string text = options.output.empty() ? "\nkept records in standard output\n"
                                            : "\noutput in " + options.output + "\n";
  if (!options.report.empty()) text += "report in " + options.report + "\n";
  if (summary.total.removed() == 0 || options.output.empty()) return text;
  const std::string folder = shell_word(options.output);
  return text + "next: twinset show " + folder + " lists the largest clusters; twinset explain " +
         folder + " ID shows why a record was removed\n";
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
  std::optional<RecordOutput> kept;
  if (streams(options)) kept.emplace();
  std::unique_ptr<ProgressSink> progress = make_progress(talk);
  Result<DedupSummary> done = dedup(options, RunControl{&interrupted(), progress.get(), nullptr,
                                                        kept.has_value() ? &*kept : nullptr});
  progress.reset();  // the bar goes before anything else is printed
  if (done.ok() && kept.has_value()) {
    const Status closed = kept->close();
    if (!closed.ok()) done = closed.error();
  }
  if (!done.ok() && kept.has_value() && kept->reader_left()) {
    return static_cast<int>(done.error().code);
  }
  if (!done.ok()) return fail(done.error());
  const DedupSummary& summary = done.value();
  if (summary.already_done) {
    if (talk.json) print_bytes(summary.json);
    say_already_done(options.output, summary, talk);
    return exit_code_of(summary, options.input);
  }
  print_facts(summary, talk);
  if (!talk.quiet) {
    for (const std::string& bad : summary.bad_records) say("twinset: left out " + bad);
  }
  if (talk.json) {
    print_bytes(summary.json);
  } else if (!talk.quiet) {
    print(records_text(summary, !options.output.empty()));
    if (talk.verbose) print(matching_text(summary));
    print(after_dedup(summary, options));
  }
  return exit_code_of(summary, options.input);
}

struct EvaluateArguments {
  EvaluateOptions options;
  Talk talk;
};

int run_evaluate(EvaluateArguments& arguments) {
  std::unique_ptr<ProgressSink> progress = make_progress(arguments.talk);
  const Result<Evaluation> done =
      evaluate(arguments.options, RunControl{&interrupted(), progress.get(), nullptr});
  progress.reset();
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
  add_options(verb, {options_of(arguments->options), options_of(arguments->talk)});
  verb.callback([arguments, &exit_code] { exit_code = run_dedup(*arguments); });
}

}  // namespace twinset::cli

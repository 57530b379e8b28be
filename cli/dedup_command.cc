// twinset dedup: the main job.
#include <fmt/core.h>
#include <unistd.h>

#include <optional>

#include "options.h"
#include "record_output.h"
#include "twinset/dedup.h"
#include "twinset/evaluate.h"
#include "twinset/schemes.h"

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
  std::string text = fmt::format("{:>14}  records read", with_separators(total.read));
  if (summary.files.size() > 1) text += " in " + counted(summary.files.size(), "file");
  text += fmt::format("\n{:>14}  kept\n", with_separators(total.kept)) + removed_line(total);
  if (total.filtered > 0) {
    text += fmt::format("{:>14}  shorter than --min-tokens, left out\n",
                        with_separators(total.filtered));
  }
  if (total.quarantined > 0) {
    text += fmt::format("{:>14}  could not be read{}\n", with_separators(total.quarantined),
                        leaves_folder ? ": see quarantine.jsonl" : "");
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

/// Kept records go to standard output if that is asked for, or if no folder is named and
/// it is not a terminal. Everything printed goes to standard error then.
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

CLI::Option* add_resemblance(CLI::App& verb, DecisionOptions& options) {
  return add_ratio(verb, "-r,--resemblance", options.resemblance,
                   "remove a document whose resemblance to a kept one is at least this: the share "
                   "of all their 5-word shingles that they have in common [0.8]");
}

CLI::Option* add_containment(CLI::App& verb, DecisionOptions& options) {
  return add_ratio(verb, "-c,--containment", options.containment,
                   "also remove a document if this share of it appears in a kept one (keeps the "
                   "longest unless --keep is given); may miss passages under about 80 words");
}

/// How copies are found.
void add_method_options(CLI::App& verb, DecisionOptions& options) {
  add_choice<Check, Check>(
      verb, "--verify", options.verification, {{"exact", Check::exact}, {"sketch", Check::sketch}},
      "exact: the texts decide; sketch: estimates do, and on license texts 10 % of such removals "
      "are wrong [exact]")
      ->group(group::method);
  add_scheme(verb, options.scheme, "scheme that finds similar documents; see twinset schemes")
      ->capture_default_str()
      ->group(group::method);
  add_analyzer(verb, options.analyzer);
  add_count(verb, "--max-group", options.max_group,
            "ignore phrases found in more than N documents (0: never) [1000]")
      ->group(group::method);
  add_count(verb, "--max-meetings", options.max_meetings,
            "refuse to start if schemes that count keys need more comparisons than this "
            "[10000000000]")
      ->group(group::method);
  add_seed(verb, options.seed);
}

/// Several schemes side by side, and labels.
void add_trial_options(CLI::App& verb, EvaluateOptions& options) {
  constexpr const char* schemes_group = "Several schemes";
  add_text(verb, "--schemes", options.schemes, "LIST",
           "compare these schemes in place of judging one run: all, or specs such as "
           "'fss,mod(modulus=16)'; at 0.5, 0.7, 0.8, 0.9 and --resemblance, with costs and a "
           "verdict; every pair of the sample is known exactly")
      ->group(schemes_group);
  add_count(verb, "--sample", options.sample, "documents to sample at most [2000]")
      ->group(schemes_group);
  add_text(verb, "--labels", options.labels, "FIELD",
           "field that holds a record's label: clusters are compared with the labels")
      ->group(schemes_group);
  add_text(verb, "--labels-file", options.labels_file, "FILE",
           "labels by id instead: lines {\"id\": ..., \"label\": ...}")
      ->group(schemes_group);
  verb.add_flag("--ignore-unknown-labels", options.ignore_unknown_labels,
                "accept ids in that file that no document has")
      ->group(schemes_group);
  add_text(verb, "--copies-out", options.copies_out, "FILE",
           "file to make: the planted copies with their true resemblance, to test other tools with")
      ->group(schemes_group);
}

struct EvaluateArguments {
  EvaluateOptions options;
  Talk talk;
};

int run_evaluate(EvaluateArguments& arguments) {
  arguments.options.json = arguments.talk.json;
  std::unique_ptr<ProgressSink> progress = make_progress(arguments.talk);
  RunFacts facts;
  const Result<std::string> report =
      evaluate(arguments.options, RunControl{&interrupted(), progress.get(), nullptr}, &facts);
  progress.reset();
  if (!report.ok()) return fail(report.error());
  print_facts(facts, arguments.talk);
  if (arguments.talk.json) {
    print_bytes(report.value());
  } else {
    print(report.value());
  }
  return exit_code_of(facts, arguments.options.input);
}

}  // namespace

void add_evaluate(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<EvaluateArguments>();
  EvaluateOptions& options = arguments->options;
  CLI::App& verb = add_verb(
      app, "evaluate", "measure recall and precision on your own documents, with planted edits",
      {{"twinset evaluate crawl.jsonl.gz",
        "plants edited copies of a sample and counts how many of them dedup finds"},
       {"twinset evaluate crawl.jsonl.gz --schemes all", "compares all schemes on a sample"}});
  add_inputs(verb, options.inputs);
  add_resemblance(verb, options)->group(group::most_used);
  add_containment(verb, options)->group(group::most_used);
  add_trial_options(verb, options);
  add_input_options(verb, options.input);
  add_method_options(verb, options);
  add_count(verb, "--sample-seed", options.sample_seed,
            "random seed that chooses originals and edits [1]")
      ->group(group::method);
  add_answer_talk_options(verb, arguments->talk);
  add_resource_options(verb, options.resources);
  verb.callback([arguments, &exit_code] { exit_code = run_evaluate(*arguments); });
}

void add_dedup(CLI::App& app, std::string command, int& exit_code) {
  auto arguments = std::make_shared<DedupArguments>();
  DedupOptions& options = arguments->options;
  options.command = std::move(command);
  CLI::App& verb = add_verb(
      app, "dedup", "keep one of each group of similar documents, with proof for each removal",
      {{"twinset dedup crawl.jsonl.gz -o clean",
        "writes the kept records to clean/crawl.jsonl.gz, byte for byte, and the proofs to "
        "clean/removed.jsonl.zst"},
       {"twinset dedup train.jsonl --against test.jsonl -o clean-train --report a.html",
        "also removes everything that resembles a record of test.jsonl, and makes a page to look "
        "at"}});
  constexpr const char* removal_group = "Which records to remove";
  add_inputs(verb, options.inputs);
  add_text(
      verb, "-o,--output", options.output, "DIR",
      "folder to make; missing or empty. Without it, or with -, the kept records of JSON Lines "
      "go to standard output if that is a file or a pipe")
      ->group(group::most_used);
  add_resemblance(verb, options)->group(group::most_used);
  add_containment(verb, options)->group(group::most_used);
  offer(add_text(verb, "--keep", options.keep, "RULE",
                 "which document of a cluster to keep: first, longest, shortest, source, "
                 "newest:FIELD, oldest:FIELD, highest:FIELD or lowest:FIELD [first]"),
        {"first", "longest", "shortest", "source", "newest:", "oldest:", "highest:", "lowest:"})
      ->group(group::most_used);
  add_text(verb, "--report", options.report, "FILE",
           "HTML page to make, with the clusters to look at")
      ->group(group::most_used);
  verb.add_flag("-n,--dry-run", options.dry_run, "decide and count, write nothing")
      ->group(group::most_used);

  add_texts(verb, "--against", options.references, "IN",
            "compare with these files too; never remove from them")
      ->group(removal_group);
  add_count(verb, "--min-tokens", options.min_tokens, "leave out documents of fewer words [0]")
      ->group(removal_group);
  add_ratio(verb, "--max-removed", options.max_removed,
            "write nothing and exit 3 if more than this share would be removed")
      ->group(removal_group);
  add_count(verb, "--max-bad", options.max_bad,
            "write nothing and exit 3 if more than N records cannot be read")
      ->group(removal_group);

  add_input_options(verb, options.input);
  add_choice<Emit, Emit>(verb, "--emit", options.emit,
                         {{"records", Emit::records}, {"ids", Emit::ids}},
                         "write the kept records, or kept.jsonl with their ids only [records]")
      ->group(group::output);
  verb.add_flag("--write-removed", options.write_removed,
                "also write the removed records, to removed/ in the output")
      ->group(group::output);
  add_text(verb, "--summary", options.summary_file, "FILE",
           "with records on standard output: file to make with the summary")
      ->group(group::output);
  add_text(verb, "--removed", options.removed_file, "FILE",
           "likewise, with the proof of each removal (.jsonl or .jsonl.zst)")
      ->group(group::output);
  add_talk_options(verb, arguments->talk);
  add_method_options(verb, options);
  add_resource_options(verb, options.resources);
  verb.callback([arguments, &exit_code] { exit_code = run_dedup(*arguments); });
}

}  // namespace twinset::cli

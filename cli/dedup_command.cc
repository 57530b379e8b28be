// twinset dedup: the main job.
#include <fmt/format.h>
#include <unistd.h>

#include <iterator>
#include <map>
#include <optional>

#include "common.h"
#include "record_output.h"
#include "twinset/evaluate.h"
#include "twinset/schemes.h"

namespace twinset::cli {
namespace {

struct DedupArguments {
  DedupOptions options;
  bool json = false;
  bool quiet = false;
};

/// "  near            8,012" lines and the like, for a person.
void print_summary(const DedupSummary& summary, const DedupOptions& options) {
  const Counts& total = summary.total;
  fmt::print("{:>14}  records read", with_separators(total.read));
  if (summary.files.size() > 1) fmt::print(" in {} files", with_separators(summary.files.size()));
  fmt::print("\n{:>14}  kept\n", with_separators(total.kept));
  const double percent = total.read == 0 ? 0
                                         : 100.0 * static_cast<double>(total.removed()) /
                                               static_cast<double>(total.read);
  fmt::print("{:>14}  removed ({:.1f} %)", with_separators(total.removed()), percent);
  const std::pair<const char*, std::uint64_t> kinds[] = {{"identical", total.identical},
                                                         {"lexical", total.lexical},
                                                         {"near", total.near},
                                                         {"contained", total.contained}};
  const char* separator = ": ";
  for (const auto& [name, count] : kinds) {
    if (count == 0) continue;
    fmt::print("{}{} {}", separator, with_separators(count), name);
    separator = ", ";
  }
  fmt::print("\n");
  if (total.filtered > 0)
    fmt::print("{:>14}  filtered (--min-tokens)\n", with_separators(total.filtered));
  if (total.quarantined > 0)
    fmt::print("{:>14}  quarantined\n", with_separators(total.quarantined));
  if (summary.clusters > 0) {
    fmt::print("{:>14}  cluster{}, the largest of {}\n", with_separators(summary.clusters),
               summary.clusters == 1 ? "" : "s", with_separators(summary.largest_cluster));
  }
  fmt::print("\n{}\n", summary.scheme);
  if (!summary.plan.empty()) fmt::print("{}\n", summary.plan);
  fmt::print("{} candidate pair{}, {} past the sketches, {} verified, {} repair round{}\n",
             with_separators(summary.candidate_pairs), summary.candidate_pairs == 1 ? "" : "s",
             with_separators(summary.checked_pairs), with_separators(summary.verified_pairs),
             summary.repair_rounds, summary.repair_rounds == 1 ? "" : "s");
  fmt::print("{:.2f} s, {:.2f} s of CPU, {:.0f} MB of text at {:.0f} MB/s, {:.0f} MB of memory\n",
             summary.seconds, summary.cpu_seconds, static_cast<double>(summary.text_bytes) / 1e6,
             static_cast<double>(summary.text_bytes) / 1e6 / std::max(summary.seconds, 1e-3),
             static_cast<double>(summary.peak_memory_bytes) / 1e6);
  print_predictions(summary);
  if (options.dry_run) {
    fmt::print("dry run: nothing was written\n");
  } else {
    if (options.output.empty()) {
      fmt::print("kept records in standard output\n");
    } else {
      fmt::print("output in {}\n", options.output);
    }
    if (!options.report.empty()) fmt::print("report in {}\n", options.report);
  }
}

/// Kept records go to standard output if it is asked for, or if nothing else is and
/// somebody reads it. What is printed goes to standard error then.
bool streams(DedupOptions& options) {
  const bool asked = options.output == "-";
  if (asked) options.output.clear();
  if (options.dry_run || !options.output.empty()) return false;
  return asked || ::isatty(STDOUT_FILENO) != 1;
}

int run(DedupArguments& arguments) {
  std::optional<RecordOutput> kept;
  if (streams(arguments.options)) kept.emplace();
  std::unique_ptr<ProgressSink> progress = make_progress(arguments.quiet);
  Result<DedupSummary> done = dedup(
      arguments.options,
      RunControl{&interrupted(), progress.get(), nullptr, kept.has_value() ? &*kept : nullptr});
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
    say_already_done(arguments.options.output, summary);
    return exit_code_of(summary, arguments.options.input);
  }
  print_facts(summary);
  for (const std::string& bad : summary.bad_records) say("twinset: left out " + bad + "\n");
  if (arguments.json) {
    fmt::print("{}", summary_text(summary, arguments.options));
  } else {
    print_summary(summary, arguments.options);
  }
  return exit_code_of(summary, arguments.options.input);
}

/// What decides who is like whom.
void add_threshold_options(CLI::App& verb, DedupOptions& options) {
  add_ratio(verb, "--resemblance,-r", options.resemblance,
            "a document goes at this resemblance to a kept one [0.8]")
      ->group("What goes");
  add_ratio(verb, "--containment,-c", options.containment,
            "... or if so much of it is contained in a kept one; keeps the longest unless --keep "
            "says otherwise: then a document is only held against those ahead of it. Passages "
            "under some 80 words may go unseen")
      ->group("What goes");
}

/// How likeness is found.
void add_method_options(CLI::App& verb, DedupOptions& options) {
  const std::map<std::string, Verification> verifications{{"exact", Verification::exact},
                                                          {"sketch", Verification::sketch}};
  verb.add_option(
          "--verify", options.verification,
          "exact: the texts decide; sketch: estimates do, and on license texts 10 % of such "
          "removals are wrong [exact]")
      ->transform(CLI::Transformer(verifications).description(""))
      ->type_name("exact|sketch")
      ->group("How");
  verb.add_option("--scheme", options.scheme, "scheme of the sketches; see twinset schemes")
      ->capture_default_str()
      ->group("How");
  verb.add_option(
          "--analyzer", options.analyzer,
          "how text becomes tokens: words; words_nfkc, which takes full-width and other forms "
          "of a letter for the letter; code, which keeps case, signs and symbols; or features "
          "where the text is an array of ids, each a shingle by itself")
      ->capture_default_str()
      ->group("How");
  add_count(verb, "--max-group", options.max_group,
            "counted shingles in more documents are common and left out (0: none) [1000]")
      ->group("How");
  add_count(verb, "--max-meetings", options.max_meetings,
            "refuse to count if documents would meet more often under counted shingles "
            "[10000000000]")
      ->group("How");
  add_count(verb, "--seed", options.seed, "seed of the sketches")->group("How");
}

/// Several schemes side by side, and labels.
void add_trial_options(CLI::App& verb, EvaluateOptions& options) {
  constexpr const char* group = "Several schemes";
  verb.add_option("--schemes", options.schemes,
                  "try these instead of judging one run: all, or specs such as "
                  "'fss,mod(modulus=16)'; at 0.5, 0.7, 0.8, 0.9 and --resemblance, with costs, a "
                  "verdict, and every pair of the sample known exactly")
      ->type_name("LIST")
      ->group(group);
  add_count(verb, "--sample", options.sample, "documents sampled at most [2000]")->group(group);
  verb.add_option("--labels", options.labels,
                  "field of a record's label: clusters are held against it")
      ->type_name("FIELD")
      ->group(group);
  verb.add_option("--labels-file", options.labels_file,
                  "or labels by id: lines {\"id\": ..., \"label\": ...}")
      ->type_name("FILE")
      ->group(group);
  verb.add_flag("--ignore-unknown-labels", options.ignore_unknown_labels,
                "ids of that file that no document has are no error")
      ->group(group);
  verb.add_option("--copies-out", options.copies_out,
                  "file to make: the planted copies with their true resemblance, to try other "
                  "tools on")
      ->type_name("FILE")
      ->group(group);
}

struct EvaluateArguments {
  EvaluateOptions options;
  bool quiet = false;
};

int run_evaluate(const EvaluateArguments& arguments) {
  std::unique_ptr<ProgressSink> progress = make_progress(arguments.quiet);
  RunFacts facts;
  const Result<std::string> report =
      evaluate(arguments.options, RunControl{&interrupted(), progress.get(), nullptr}, &facts);
  progress.reset();
  if (!report.ok()) return fail(report.error());
  print_facts(facts);
  fmt::print("{}", report.value());
  return exit_code_of(facts, arguments.options.run.input);
}

}  // namespace

void add_evaluate(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<EvaluateArguments>();
  DedupOptions& options = arguments->options.run;
  CLI::App& verb = *app.add_subcommand(
      "evaluate", "recall and precision on your own documents, with planted edits");
  verb.add_option("IN", options.inputs, "as for dedup; documents are sampled")->required();
  add_input_options(verb, options.input);
  add_threshold_options(verb, options);
  add_method_options(verb, options);
  add_count(verb, "--sample-seed", arguments->options.sample_seed,
            "chooses originals and edits [1]")
      ->group("How");
  add_trial_options(verb, arguments->options);
  verb.add_flag("--json", arguments->options.json, "as JSON")->group("Output");
  verb.add_flag("--quiet,-q", arguments->quiet, "no progress")->group("Output");
  add_resource_options(verb, options.resources);
  verb.callback([arguments, &exit_code] { exit_code = run_evaluate(*arguments); });
}

void add_dedup(CLI::App& app, std::string command, int& exit_code) {
  auto arguments = std::make_shared<DedupArguments>();
  DedupOptions& options = arguments->options;
  options.command = std::move(command);
  CLI::App& verb = *app.add_subcommand(
      "dedup", "keep one of each group of like documents, and prove why the others went");
  verb.add_option("IN", options.inputs,
                  "JSONL (.gz, .zst), text files, folders, globs; - is standard input")
      ->required();
  verb.add_option("-o,--output", options.output,
                  "folder to make; must not exist. Without it, or -: kept records of JSON Lines go "
                  "to standard output, if that is a file or a pipe");
  verb.add_option("--against", options.references,
                  "protected inputs: nothing of theirs is removed or written, what is like them "
                  "goes")
      ->group("Input");
  add_input_options(verb, options.input);

  add_threshold_options(verb, options);
  verb.add_option("--keep", options.keep,
                  "which one stays: first, longest, shortest, source, newest:FIELD, oldest:FIELD, "
                  "highest:FIELD, lowest:FIELD [first]")
      ->group("What goes");
  add_count(verb, "--min-tokens", options.min_tokens, "shorter documents are filtered out")
      ->group("What goes");
  add_ratio(verb, "--max-removed", options.max_removed,
            "stop before anything is written if more would go")
      ->group("What goes");
  add_count(verb, "--max-bad", options.max_bad, "stop at more bad records than this")
      ->group("What goes");

  add_method_options(verb, options);

  const std::map<std::string, Emit> emits{{"records", Emit::records}, {"ids", Emit::ids}};
  verb.add_option("--emit", options.emit, "kept records, or kept.jsonl with their ids [records]")
      ->transform(CLI::Transformer(emits).description(""))
      ->type_name("records|ids")
      ->group("Output");
  verb.add_flag("--write-removed", options.write_removed, "the removed records too, in removed/")
      ->group("Output");
  verb.add_option("--report", options.report, "HTML file to make")->group("Output");
  verb.add_option("--summary", options.summary_file,
                  "file to make of the summary, with records to standard output")
      ->type_name("FILE")
      ->group("Output");
  verb.add_option("--removed", options.removed_file,
                  "file to make of why each record went (.jsonl or .jsonl.zst), likewise")
      ->type_name("FILE")
      ->group("Output");
  verb.add_flag("--dry-run", options.dry_run, "decide and count, write nothing")->group("Output");
  verb.add_flag("--json", arguments->json, "the summary as JSON on standard output")
      ->group("Output");
  verb.add_flag("--quiet,-q", arguments->quiet, "no progress")->group("Output");
  add_resource_options(verb, options.resources);
  verb.callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace twinset::cli

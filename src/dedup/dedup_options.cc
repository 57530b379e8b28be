#include "dedup/dedup_options.h"

#include "dedup/dedup_summary.h"

namespace twinset {

std::string keep_rule_of(const DecisionOptions& options) {
  if (!options.keep.empty()) return options.keep;
  return options.containment.has_value() ? "longest" : "first";
}

VerbOptions deciding_verb(const DecisionOptions& options) {
  VerbOptions verb;
  verb.dry_run = true;
  verb.thresholds = {options.resemblance, options.containment};
  verb.keep = keep_rule_of(options);
  verb.sketches_decide = options.verification == Check::sketch;
  return verb;
}

VerbOptions dedup_verb(const DedupOptions& options) {
  VerbOptions verb = deciding_verb(options);
  verb.name = "dedup";
  // These say when to stop, not what comes out: a run they stopped goes on when
  // they are raised.
  DedupOptions deciding = options;
  deciding.max_bad.reset();
  deciding.max_removed.reset();
  verb.identity = verb.name + dedup_options_json(deciding);
  verb.references = options.references;
  verb.output = options.output;
  verb.report = options.report;
  verb.new_files = {{"--summary", options.summary_file}, {"--removed", options.removed_file}};
  verb.own_names = {"removed.jsonl.zst", "clusters.jsonl.zst"};
  if (options.write_removed) verb.own_names.emplace_back("removed");
  verb.writes_records = options.emit == Emit::records;
  verb.dry_run = options.dry_run;
  verb.reads_again = true;
  return verb;
}

Status check_destination(const DedupOptions& options, const RunControl& control) {
  const bool proof_files = !options.summary_file.empty() || !options.removed_file.empty();
  if (control.kept == nullptr) {
    // The run itself refuses to have no output.
    if (!proof_files || (options.output.empty() && !options.dry_run)) return {};
    return usage_error(
        "--summary and --removed are for kept records that go to standard output; the folder of "
        "-o holds both");
  }
  if (options.write_removed) {
    return usage_error(
        "--write-removed makes files: give -o DIR; with --removed FILE.jsonl.zst what went can "
        "be found again");
  }
  const std::string& removed = options.removed_file;
  if ((!removed.empty() && (removed == options.summary_file || removed == options.report)) ||
      (!options.report.empty() && options.report == options.summary_file)) {
    return usage_error("--summary, --removed and --report are files of their own");
  }
  if (!removed.empty() && !removed.ends_with(".jsonl") && !removed.ends_with(".jsonl.zst")) {
    return usage_error("--removed " + removed + " does not end in .jsonl or .jsonl.zst");
  }
  return {};
}

}  // namespace twinset

#include "dedup/dedup_options.h"

#include "base/message.h"
#include "run/common_options.h"
#include "run/keep_rule.h"
#include "run/options_json.h"
#include "run/profile.h"

namespace twinset {

std::vector<Option> decision_options(ReadingOptions& reading, ComparisonOptions& comparison,
                                     DecisionOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return together({
      input_options(reading.input),
      content_option(reading.input),
      analyzer_option(comparison.analyzer),
      scheme_option(comparison.scheme, "scheme that finds similar documents; see twinset schemes"),
      {"-r, --resemblance SHARE", &options.resemblance, decides, most_used,
       "remove a document whose resemblance to a kept one is at least this: the share of all "
       "their 5-word shingles that they have in common"},
      {"-c, --containment SHARE", &options.containment, decides, most_used,
       "also remove a document if this share of it appears in a kept one (keeps the longest "
       "unless --keep is given); may miss passages under about 80 words"},
  });
}

Option verify_option(DecisionOptions& options) {
  return {"--verify", Choice(&options.verify, {"exact", "sketch"}), OptionRole::decides,
          Heading::method,
          "exact: the texts decide; sketch: estimates do, and on license texts 10 % of such "
          "removals are wrong"};
}

std::vector<Option> key_options(ComparisonOptions& comparison, DecisionOptions& options) {
  return {
      distance_option(comparison),
      profile_option(comparison),
      max_group_option(comparison.max_group),
      {"--max-meetings N", &options.max_meetings, OptionRole::unrecorded, Heading::method,
       "refuse to start if counting keys or comparing signatures needs more comparisons than this"},
      seed_option(comparison),
      df_documents_option(comparison)};
}

std::vector<Option> options_of(DedupOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return noting_typed(
      options,
      together({
          inputs_option(options),
          {"--against IN", &options.against, decides, removal,
           "compare with these files too; never remove from them. Or an index: its documents are "
           "not read again"},
          {"--add", &options.add, decides, removal,
           "put the kept records into the index of --against, for the next run"},
          date_option(options.date, removal,
                      "with --add: the field of a record's date, to be kept with it, as that of "
                      "--url"),
          {"-o, --output DIR", &options.output, unrecorded, most_used,
           "folder to make; missing or empty. Without it, or with -, the kept records of JSON "
           "Lines go to standard output if that is a file or a pipe"},
          decision_options(options, options, options),
          offering(KeepRule::forms(),
                   {"--keep RULE", &options.keep, decides, most_used,
                    "which document of a cluster to keep: first, longest, shortest, source, "
                    "newest:FIELD, oldest:FIELD, highest:FIELD, lowest:FIELD, shortest:FIELD or "
                    "shortest-url",
                    "first"}),
          within_option(options.within),
          verify_option(options),
          template_options(options),
          {"--emit", Choice(&options.emit, {"records", "ids"}), decides, output,
           "write the kept records, or kept.jsonl with their ids only"},
          {"--write-removed", &options.write_removed, decides, output,
           "also write the removed records, to removed/ in the output"},
          level_option(options.level),
          {"--summary FILE", &options.summary, unrecorded, output,
           "with records on standard output: file to make with the summary"},
          {"--removed FILE", &options.removed, unrecorded, output,
           "likewise, with the proof of each removal (.jsonl or .jsonl.zst)"},
          min_tokens_option(options.min_tokens, removal),
          exact_below_option(options.exact_below, removal),
          {"--max-removed SHARE", &options.max_removed, recorded, removal,
           "write nothing and exit 3 if more than this share would be removed"},
          max_bad_option(options.max_bad, recorded, removal),
          key_options(options, options),
          report_option(options.report),
          shard_option(options.shard),
          {"-n, --dry-run", &options.dry_run, unrecorded, most_used,
           "decide and count, write nothing"},
          resource_options(options.resources),
      }));
}

std::string keep_rule_of(const DecisionOptions& options) {
  if (!options.keep.empty()) return options.keep;
  return options.containment.has_value() ? "longest" : "first";
}

Status take_profile(FileSystem& files, ComparisonOptions& comparison, DecisionOptions& options) {
  return apply_profile(
      files, {&comparison, &options.resemblance, [&](Check check) { options.verify = check; }});
}

VerbOptions deciding_verb(const DecisionOptions& options) {
  VerbOptions verb;
  verb.works_in = WorksIn::own;
  verb.thresholds = {options.resemblance, options.containment};
  verb.keep = keep_rule_of(options);
  verb.sketches_decide = options.verify == Check::sketch;
  return verb;
}

VerbOptions dedup_verb(const DedupOptions& options, bool reads_references) {
  VerbOptions verb = deciding_verb(options);
  verb.name = "dedup";
  verb.identity = options_identity(verb.name, options);
  if (reads_references) verb.references = options.against;
  if (options.add) {
    verb.keeps_urls = true;
    for (const std::string& field : {options.url, options.date}) {
      if (!field.empty()) verb.fields.push_back(field);
    }
  }
  verb.output = options.output;
  verb.shard = options.shard;
  verb.shards = options.shards;
  // That of a shard's command is for the merge.
  if (!options.dry_run && options.shard.empty()) verb.report = options.report;
  verb.new_files = {{"summary", options.summary}, {"removed", options.removed}};
  verb.own_names = {"removed.jsonl.zst", "clusters.jsonl.zst"};
  if (options.write_removed) verb.own_names.emplace_back("removed");
  if (options.templates != Templates::keep) verb.own_names.emplace_back(templates_file);
  verb.writes_records = options.emit == Emit::records;
  verb.level = options.level;
  verb.works_in = options.dry_run ? WorksIn::own : WorksIn::folder;
  verb.reads_again = true;
  return verb;
}

Status check_destination(const DedupOptions& options, const RunControl& control) {
  const bool proof_files = !options.summary.empty() || !options.removed.empty();
  if (!options.columns.empty() &&
      (proof_files || !options.output.empty() || !options.report.empty())) {
    return usage_error(
        "dedup over columns makes no files: leave out output, report, summary and "
        "removed; results come one by one");
  }
  if (control.kept == nullptr) {
    // The run itself refuses options without an output.
    if (!proof_files || (options.output.empty() && !options.dry_run)) return {};
    return usage_error(option("summary") + " and " + option("removed") +
                       " are for kept records that go to standard output; the folder of " +
                       option("output") + " holds both");
  }
  if (options.write_removed) {
    return usage_error(switch_on("write_removed") + " makes files: give " +
                       option("output", "DIR") + "; with " + option("removed", "FILE.jsonl.zst") +
                       " the removed records can be found again");
  }
  const std::string& removed = options.removed;
  if (!removed.empty() && !removed.ends_with(".jsonl") && !removed.ends_with(".jsonl.zst")) {
    return usage_error(option("removed", removed) + " does not end in .jsonl or .jsonl.zst");
  }
  return {};
}

}  // namespace twinset

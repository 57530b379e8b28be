#include "look/output_folder.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "base/message.h"
#include "cluster/cluster_fields.h"
#include "cluster/index_cluster.h"
#include "collection/file_collection.h"
#include "dedup/dedup_fields.h"
#include "dedup/dedup_options.h"
#include "run/job.h"
#include "run/keep_rule.h"
#include "run/prepare.h"
#include "run/summary.h"
#include "run/workspace.h"
#include "scheme/scheme.h"
#include "words/visible.h"

namespace twinset {
namespace {

Compression compression_of(std::string_view name) {
  if (name == "gzip") return Compression::gzip;
  return name == "zstd" ? Compression::zstd : Compression::none;
}

std::string current_folder() {
  std::error_code failed;
  return std::filesystem::current_path(failed).string();
}

/// The current path of an input; empty if it is gone.
std::string find_again(FileSystem& files, const std::string& folder, const std::string& shown) {
  if (shown == "-") return {};
  std::vector<std::string> places{shown};
  if (shown.front() != '/' && !folder.empty()) places.insert(places.begin(), folder + "/" + shown);
  for (const std::string& place : places) {
    const Result<FileStatus> status = files.status(place);
    if (status.ok() && status.value().kind == FileStatus::Kind::regular) return place;
  }
  return {};
}

const RunFacts& run_facts(const OutputFolder& folder) {
  return std::visit([](const auto& summary) -> const RunFacts& { return summary; }, folder.summary);
}

Status add_inputs(FileSystem& files, OutputFolder& folder) {
  for (const InputFacts& facts : run_facts(folder).inputs) {
    MadeInput made;
    made.facts = facts;
    const FormatEntry* format = find_format(facts.format);
    const bool in_memory = facts.format.empty();
    if ((format == nullptr && !in_memory) || facts.file.empty()) {
      return io_error(folder.file(summary_file) + " is damaged, or of another version");
    }
    if (!in_memory) made.input.path = find_again(files, folder.run_folder, facts.file);
    made.input.shown = facts.file;
    made.input.name = facts.name;
    if (!in_memory) made.input.format = format->declaration->name;
    made.input.markup = facts.html_by_text ? Markup::by_text
                        : facts.html       ? Markup::html
                                           : Markup::none;
    made.input.compression = compression_of(facts.compression);
    made.input.reference = facts.reference;
    folder.elsewhere =
        folder.elsewhere || (facts.file.front() != '/' && facts.file != "-" &&
                             !folder.run_folder.empty() && folder.run_folder != current_folder());
    folder.inputs.push_back(std::move(made));
  }
  return {};
}

std::string keep_of(const DedupOptions& options) { return keep_rule_of(options); }
std::string keep_of(const ClusterOptions& options) {
  return options.lead.empty() ? "first" : options.lead;
}

/// Returns the rule by which the run kept records.
template <class Options, class Summary>
Result<KeepRule> read_summary(const SummaryFile& file, Summary summary, OutputFolder& folder) {
  Options made;
  TWINSET_TRY(file.read(summary, made));
  folder.scheme = summary.scheme;
  folder.drops_templates = summary.templates.has_value() && made.templates != Templates::keep;
  folder.drops_forms = folder.drops_templates && summary.templates->texts;
  folder.summary = std::move(summary);
  folder.options = made;
  folder.threshold = {made.resemblance, made.containment};
  return KeepRule::parse(keep_of(made));
}

/// Sets what the run found and its options, and from these how inputs are read.
Status set_reading(FileSystem& files, const SummaryFile& file, OutputFolder& folder) {
  TWINSET_ASSIGN(const KeepRule keep,
                 folder.verb == "dedup"
                     ? read_summary<DedupOptions>(file, DedupSummary(), folder)
                     : read_summary<ClusterOptions>(file, ClusterSummary(), folder));
  folder.run_folder = run_facts(folder).folder;
  const InputSettings& input = folder.options.input;
  folder.fields = fields_read(input);
  // All fields of the run: rows of a table are the same only with the same columns.
  add_option_fields(folder.options, keep, folder.fields);
  const auto scheme = make_scheme(folder.scheme, folder.threshold.resemblance.value(), files);
  if (scheme.ok()) TWINSET_TRY(add_record_fields(*scheme.value(), folder.fields));
  folder.limits.max_record_bytes = input.max_record;
  folder.analyzer = find_analyzer(folder.options.analyzer);
  if (folder.analyzer == nullptr) {
    return io_error(folder.file(summary_file) + " names an analyzer this build lacks");
  }
  folder.fields.features = folder.analyzer->takes_features();
  folder.analyzer_version = run_facts(folder).analyzer_version;
  return {};
}

}  // namespace

const MadeInput* OutputFolder::find(std::string_view shown) const {
  const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const MadeInput& input) {
    return input.input.shown == shown;
  });
  return found == inputs.end() ? nullptr : &*found;
}

Result<ViewRule> OutputFolder::view_rule(FileSystem& files, unsigned shingle_tokens) const {
  ViewRule rule;
  rule.analyzer = analyzer;
  rule.shingle_tokens = shingle_tokens;
  // Templates::automatic may have kept them.
  if (!drops_templates) return rule;
  rule.pages = !drops_forms;
  TWINSET_ASSIGN(rule.templates,
                 TemplateTable::open(files, file(templates_file), rule.fingerprint()));
  rule.url_field = options.url;
  return rule;
}

std::string OutputFolder::analyzer_note() const {
  if (analyzer_version == analyzer->version()) return {};
  const std::string name(analyzer->name());
  return path + " was made by version " + std::to_string(analyzer_version) + " of the analyzer " +
         name + ", this build has version " + std::to_string(analyzer->version()) +
         ": passages may differ from the run's numbers";
}

std::string OutputFolder::folder_note() const {
  if (!elsewhere) return {};
  return "names of inputs start from " + run_folder + ", where the run was made";
}

Result<OutputFolder> open_output_folder(FileSystem& files, const std::string& path) {
  OutputFolder folder;
  folder.path = path;
  folder.path = folder_path(std::move(folder.path));
  TWINSET_ASSIGN(const std::optional<SummaryFile> file, find_summary_file(files, folder.path));
  if (!file.has_value()) {
    return usage_error(path + " is no folder that twinset made: it has no summary.json");
  }
  folder.verb = file->verb;
  if (folder.verb.empty()) {
    return usage_error(path +
                       " was made by an older version of twinset, which did not note how to read "
                       "its inputs again; make it again");
  }
  if (folder.verb != "dedup" && folder.verb != "cluster" && folder.verb != "recut") {
    const std::string listed = folder.verb == "detect"  ? "its worst pages and neighborhoods"
                               : folder.verb == "spans" ? "the texts with most reused bytes"
                                                        : "";
    return usage_error(path + " was made by twinset " + visible_name(folder.verb) +
                       "; this takes a folder of dedup, cluster or recut" +
                       (listed.empty() ? "" : ". " + verb("show") + " lists " + listed));
  }
  TWINSET_TRY(set_reading(files, *file, folder));
  for (const InputFacts& input : run_facts(folder).inputs) {
    if (input.format != index_format) continue;
    return usage_error(path + " was made of the index " + visible_name(input.file) +
                       ", which has no records to read again: its documents are named in " +
                       std::string(clusters_file_name) + ", and " + verb("lookup") +
                       " tells the cluster of each");
  }
  TWINSET_TRY(add_inputs(files, folder));
  return folder;
}

}  // namespace twinset

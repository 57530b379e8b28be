#include "browse/finished_run.h"

#include <algorithm>
#include <utility>

#include "cluster/cluster_fields.h"
#include "dedup/dedup_fields.h"
#include "dedup/dedup_options.h"
#include "faces/fate_sections.h"
#include "faces/run_report.h"
#include "run/summary.h"
#include "twinset/cluster.h"
#include "twinset/index.h"
#include "twinset/reuse.h"
#include "twinset/spans.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

/// A field's value as a report has it; nullopt if people read no number there.
std::optional<Value> number_of(const Field& field) {
  if (field.role == FieldRole::measured) return std::nullopt;
  std::optional<std::uint64_t> whole;
  std::optional<double> real;
  if (const auto* member = std::get_if<std::uint64_t*>(&field.member)) whole = **member;
  if (const auto* member = std::get_if<unsigned*>(&field.member)) whole = **member;
  if (const auto* member = std::get_if<std::optional<std::uint64_t>*>(&field.member)) {
    whole = **member;
  }
  if (const auto* member = std::get_if<double*>(&field.member)) real = **member;
  if (const auto* member = std::get_if<std::optional<double>*>(&field.member)) real = **member;
  if (whole && field.unit == Unit::bytes) return Value::bytes(*whole);
  if (whole && field.unit == Unit::count) return Value::count(*whole);
  if (real && field.unit == Unit::share) return Value::share(*real);
  return std::nullopt;
}

/// "candidate pairs" of candidate_pairs.
std::string spoken(std::string_view name) {
  std::string out(name);
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

/// Without the marks of a page of documentation.
std::string plain_help(std::string_view help) {
  std::string out(help);
  std::erase(out, '`');
  return out;
}

template <class Summary, class Options>
Status take(const SummaryFile& file, std::string title, FinishedRun& run) {
  Summary summary;
  Options options;
  TWINSET_TRY(file.read(summary, options));
  run.title = std::move(title);
  for (const Field& field : fields_of(summary)) {
    if (const std::optional<Value> value = number_of(field)) {
      run.numbers.push_back({spoken(field.name), *value, plain_help(field.help)});
    }
  }
  if constexpr (std::is_same_v<Summary, DedupSummary>) {
    run.dedup = summary;
    run.clusters = summary.clusters;
    run.documents = summary.clusters + summary.total.removed();
  }
  if constexpr (std::is_same_v<Summary, ClusterSummary>) {
    run.clusters = summary.all.clusters;
    run.documents = summary.all.documents;
    run.numbers.insert(run.numbers.begin(),
                       {{"clusters", Value::count(summary.all.clusters), ""},
                        {"documents in clusters", Value::count(summary.all.documents), ""}});
  }
  run.facts = std::move(summary);
  return {};
}

Status take_verb(const SummaryFile& file, FinishedRun& run) {
  if (run.verb == "dedup") return take<DedupSummary, DedupOptions>(file, "Near-duplicates", run);
  if (run.verb == "cluster" || run.verb == "recut") {
    return take<ClusterSummary, ClusterOptions>(file, "Clusters", run);
  }
  if (run.verb == "spans") return take<SpansSummary, SpansOptions>(file, "Shared passages", run);
  if (run.verb == "detect") return take<DetectSummary, DetectOptions>(file, "Detected reuse", run);
  if (run.verb == "discover") {
    return take<DiscoverSummary, DiscoverOptions>(file, "Discovered labels", run);
  }
  if (run.verb == "track") return take<TrackSummary, TrackOptions>(file, "Changes of pages", run);
  return usage_error(run.path + " was made by twinset " + visible_name(run.verb) +
                     "; a folder of dedup, cluster, recut, spans, discover, detect or track can be "
                     "browsed");
}

}  // namespace

Result<FinishedRun> read_finished_run(FileSystem& files, const std::string& path) {
  FinishedRun run;
  run.path = folder_path(path);
  TWINSET_ASSIGN(const std::optional<SummaryFile> file, find_summary_file(files, run.path));
  if (!file.has_value()) {
    return usage_error(path + " is no folder that twinset made: it has no summary.json");
  }
  run.verb = file->verb;
  TWINSET_TRY(take_verb(*file, run));
  return run;
}

Section totals_of(const FinishedRun& run) {
  if (run.dedup.has_value()) return totals_section(*run.dedup);
  return {.name = "totals", .numbers = run.numbers};
}

std::optional<Section> files_of_run(const FinishedRun& run) {
  if (!run.dedup.has_value()) return std::nullopt;
  return files_section(*run.dedup, [](std::string_view file) { return visible_name(file); });
}

Section section_of_run(const FinishedRun& run) {
  Section section{.name = "run", .title = "The run"};
  section.numbers = {{"verb", Value::text(run.verb)},
                     {"analyzer", Value::text(run.facts.analyzer)},
                     time_of(run.facts),
                     memory_of(run.facts)};
  Table stages{{"stage", "time", "of processors"}, {}};
  for (const StageTime& stage : run.facts.stages) {
    stages.rows.push_back({Value::text(stage.stage), Value::seconds(stage.seconds),
                           Value::seconds(stage.cpu_seconds)});
  }
  if (!stages.rows.empty()) section.tables.push_back(std::move(stages));
  return section;
}

}  // namespace twinset

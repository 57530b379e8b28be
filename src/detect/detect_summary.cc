#include "detect/detect_summary.h"

#include <fmt/core.h>

#include <optional>

#include "base/file_header.h"
#include "collection/input_troubles.h"
#include "io/json.h"
#include "reuse/reuse_text.h"
#include "run/options_json.h"
#include "run/summary.h"
#include "run/workspace.h"

namespace twinset {
namespace {

constexpr std::uint64_t most_summary_bytes = std::uint64_t{256} << 20;

std::string threshold_json(const DetectThreshold& threshold) {
  std::string out;
  JsonObject(out)
      .number("of", threshold.of)
      .raw("mean", fmt::format("{}", threshold.mean))
      .raw("deviation", fmt::format("{}", threshold.deviation))
      .raw("threshold", fmt::format("{}", threshold.threshold))
      .number("bad", threshold.bad)
      .end();
  return out;
}

std::string list_json(const std::vector<std::uint64_t>& counts) {
  std::string out = "[";
  for (const std::uint64_t count : counts) {
    out += (out.size() > 1 ? ", " : "") + std::to_string(count);
  }
  return out + "]";
}

std::uint64_t number(const JsonNode& node) { return node.integer().value_or(0); }

DetectThreshold read_threshold(const JsonNode& node) {
  return {number(node["of"]), node["mean"].real().value_or(0), node["deviation"].real().value_or(0),
          node["threshold"].real().value_or(0), number(node["bad"])};
}

std::vector<std::uint64_t> read_list(const JsonNode& node) {
  std::vector<std::uint64_t> counts;
  for (const JsonNode& count : node.elements()) counts.push_back(number(count));
  return counts;
}

/// Every number that a summary has.
struct NamedNumber {
  const char* name;
  std::uint64_t DetectSummary::*member;
};
constexpr NamedNumber numbers[] = {
    {"read", &DetectSummary::read},
    {"quarantined", &DetectSummary::quarantined},
    {"pages", &DetectSummary::pages},
    {"recursion_errors", &DetectSummary::recursion_errors},
    {"chunks", &DetectSummary::chunks},
    {"short_chunks", &DetectSummary::short_chunks},
    {"stop_chunks", &DetectSummary::stop_chunks},
    {"labeled_chunks", &DetectSummary::labeled_chunks},
    {"labeled_pages", &DetectSummary::labeled_pages},
    {"labeled_files", &DetectSummary::labeled_files},
    {"neighborhoods", &DetectSummary::neighborhoods},
    {"labels", &DetectSummary::labels},
};

}  // namespace

std::string_view badness_name(Badness badness) {
  return badness == Badness::chunks ? "chunks" : "pages";
}

std::string detect_summary_json(const DetectSummary& summary, const DetectOptions& options,
                                std::string_view stop_hash, std::string_view identity) {
  std::string out;
  SummaryLines lines(out);
  for (const NamedNumber& each : numbers) lines.number(each.name, summary.*each.member);
  lines.string("badness", badness_name(options.badness));
  lines.raw("page_threshold", threshold_json(summary.page_threshold));
  lines.raw("neighborhood_threshold", threshold_json(summary.neighborhood_threshold));
  lines.raw("by_contains", list_json(summary.by_contains));
  lines.raw("by_badness", list_json(summary.by_badness));
  lines.raw("expected_false_labels", expected_text(summary.expected_false_labels));
  lines.string("rules", summary.rules);
  lines.string("labels_hash", summary.labels_hash);
  lines.string("stop_hash", stop_hash);
  lines.raw("warnings", json_list(summary.warnings));
  lines.raw("skipped", json_list(summary.skipped));
  add_input_facts(summary, lines);
  lines.raw("options", options_json(options));
  lines.raw("files", inputs_json(summary));
  lines.raw("run", run_json(summary, options.command, identity));
  lines.end();
  return out;
}

void read_detect_numbers(const JsonNode& made, DetectSummary& summary) {
  for (const NamedNumber& each : numbers) summary.*each.member = number(made[each.name]);
  summary.page_threshold = read_threshold(made["page_threshold"]);
  summary.neighborhood_threshold = read_threshold(made["neighborhood_threshold"]);
  summary.by_contains = read_list(made["by_contains"]);
  summary.by_badness = read_list(made["by_badness"]);
  summary.expected_false_labels = made["expected_false_labels"].real().value_or(0);
  summary.rules = made["rules"].text();
  summary.labels_hash = made["labels_hash"].text();
}

Result<DetectedFolder> read_detected_folder(FileSystem& files, const std::string& folder) {
  DetectedFolder read;
  read.folder = folder;
  while (read.folder.size() > 1 && read.folder.back() == '/') read.folder.pop_back();
  const std::string path = read.folder + "/" + std::string(summary_file);
  TWINSET_ASSIGN(const FileStatus there, files.status(path));
  if (there.kind != FileStatus::Kind::regular) {
    return usage_error(read.folder + " is no folder that detect made: it has no summary.json");
  }
  TWINSET_ASSIGN(read.json, read_whole_file(files, path, most_summary_bytes));
  TWINSET_ASSIGN(const JsonNode made, read_json(read.json, path));
  if (made["run"]["verb"].text() != "detect") {
    return usage_error(read.folder + " is no folder that detect made, but one of " +
                       (made["run"]["verb"].text().empty() ? std::string("another program")
                                                           : made["run"]["verb"].text()));
  }
  read_detect_numbers(made, read.summary);
  read.summary.folder = made["run"]["folder"].text();
  read.summary.inputs = read_input_facts(made);
  read.summary.lost_inputs = lost_inputs_of(made);
  for (const JsonNode& text : made["warnings"].elements()) {
    read.summary.warnings.push_back(text.text());
  }
  for (const JsonNode& text : made["skipped"].elements()) {
    read.summary.skipped.push_back(text.text());
  }
  TWINSET_TRY(read_options(made["options"], options_of(read.options), path));
  read.stop_hash = made["stop_hash"].text();
  read.identity = made["run"]["identity"].text();
  const DetectSummary& summary = read.summary;
  if (summary.labels_hash.empty() || summary.rules.empty() ||
      summary.page_threshold.of > summary.pages || summary.labeled_chunks > summary.chunks) {
    return io_error(path + " is damaged, or of another version; make its folder again");
  }
  read.counts = {
      summary.pages,         summary.recursion_errors, summary.chunks,
      summary.short_chunks,  summary.stop_chunks,      summary.labeled_chunks,
      summary.labeled_pages, summary.labeled_files,    summary.pages - summary.page_threshold.of};
  return read;
}

}  // namespace twinset

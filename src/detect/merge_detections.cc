#include "detect/merge_detections.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/message.h"
#include "collection/output_files.h"
#include "collection/output_lines.h"
#include "detect/detect_fields.h"
#include "detect/detect_lines.h"
#include "detect/detect_lists.h"
#include "detect/detected_folder.h"
#include "run/options_json.h"
#include "run/output_paths.h"
#include "run/prepare.h"
#include "run/stage_clock.h"
#include "run/summary.h"
#include "run/workspace.h"
#include "twinset/result.h"
#include "web/chunks.h"
#include "words/numbers.h"

namespace twinset {
namespace {

/// The plan of memory has room for a line so long.
constexpr std::uint64_t longest_line = std::uint64_t{1} << 20;

class Merge {
 public:
  Merge(const DetectOptions& options, const DetectRules& rules, const RunControl& control,
        DrawReport<DetectFindings> draw)
      : options_(options), rules_(rules), draw_(draw), context_(context_of(control)) {
    verb_.output = options_.output = folder_path(std::move(options_.output));
    verb_.report = options_.report;
  }

  Result<DetectSummary> run() {
    TWINSET_TRY(check_options());
    TWINSET_TRY(check_folder_names(options_.output, options_.resources.tmp));
    TWINSET_ASSIGN(
        memory_, plan_memory(options_.resources, longest_line, *context_.files, context_, lease_));
    for (const std::string& folder : options_.merge) {
      TWINSET_ASSIGN(DetectedFolder part, read_detected_folder(files(), folder));
      parts_.push_back(std::move(part));
    }
    TWINSET_TRY(check_parts());
    take_from_parts();
    TWINSET_TRY(check_places());
    summary_.identity = make_identity();
    const Workspace::Settings settings{options_.output, options_.resources.tmp, summary_.identity,
                                       options_.command};
    TWINSET_ASSIGN(const std::optional<std::string> finished,
                   Workspace::finished(files(), settings));
    if (finished.has_value()) return read_finished(*finished);
    TWINSET_TRY(paths().check_report_is_new());
    TWINSET_TRY(paths().check_report_path());
    TWINSET_ASSIGN(workspace_, Workspace::open(files(), settings));
    const Status done = merge();
    found_.reset();  // It has files in the work folder.
    if (done.ok()) return std::move(summary_);
    [[maybe_unused]] const Status removed = workspace_->abandon();  // `done` tells why.
    return done.error();
  }

 private:
  FileSystem& files() const { return *context_.files; }

  Status check_options() const {
    if (options_.output.empty()) {
      return usage_error(option("merge") + " makes a folder: " + option("output", "DIR"));
    }
    if (!options_.inputs.empty()) {
      return usage_error(option("merge") +
                         " takes folders that detect made, and no input: leave out " +
                         options_.inputs.front());
    }
    if (!options_.labels.empty() || !options_.stop.empty()) {
      return usage_error("the folders of " + option("merge") +
                         " have looked for their labels; leave out " + option("labels") + " and " +
                         option("stop"));
    }
    return {};
  }

  /// All parts must have looked for the same, and none may stand twice.
  Status check_parts() const {
    const DetectedFolder& first = parts_.front();
    for (const DetectedFolder& part : parts_) {
      TWINSET_TRY(check_same(first, part, "labels",
                             [](const DetectedFolder& x) { return x.summary.labels_hash; }));
      TWINSET_TRY(check_same(first, part, "rules of chunks",
                             [](const DetectedFolder& x) { return x.summary.rules; }));
      TWINSET_TRY(check_same(first, part, "stop chunks",
                             [](const DetectedFolder& x) { return x.summary.stop_hash; }));
      TWINSET_TRY(check_same(first, part, option("repeats"), [](const DetectedFolder& x) {
        return std::to_string(x.options.pages.repeats);
      }));
      TWINSET_TRY(check_same(first, part, option("badness"), [](const DetectedFolder& x) {
        return std::string(badness_name(x.options.badness));
      }));
      for (const DetectedFolder* other = &first; other != &part; ++other) {
        if (normal_path(other->folder) != normal_path(part.folder) &&
            other->summary.identity != part.summary.identity) {
          continue;
        }
        return usage_error(other->folder + " and " + part.folder +
                           " are one run; its pages would count twice");
      }
    }
    if (options_.badness != Badness::chunks && options_.badness != first.options.badness) {
      return usage_error(option("badness", badness_name(options_.badness)) + ", but " +
                         first.folder + " was ranked by " +
                         std::string(badness_name(first.options.badness)));
    }
    return {};
  }

  static Status check_same(const DetectedFolder& a, const DetectedFolder& b,
                           const std::string& what,
                           const std::function<std::string(const DetectedFolder&)>& of) {
    const auto shown = [](const std::string& value) {
      return value.empty() ? std::string("none") : value;
    };
    if (of(a) == of(b)) return {};
    return usage_error(a.folder + " and " + b.folder + " have different " + what + ": " +
                       shown(of(a)) + " and " + shown(of(b)) + "; they cannot be merged");
  }

  void take_from_parts() {
    const DetectedFolder& first = parts_.front();
    options_.badness = rules_.badness = first.options.badness;
    options_.pages = first.options.pages;
    options_.labels = first.options.labels;
    options_.stop = first.options.stop;
    summary_.verb = "detect";
    std::error_code failed;
    summary_.folder = std::filesystem::current_path(failed).string();
    summary_.rules = first.summary.rules;
    summary_.labels = first.summary.labels;
    summary_.labels_hash = first.summary.labels_hash;
    summary_.stop_hash = first.summary.stop_hash;
    summary_.badness = options_.badness;
    summary_.command = options_.command;
    summary_.version = version();
    const std::optional<ChunkRules> rules = parse_chunk_rules(summary_.rules);
    rules_.hash = rules.value_or(ChunkRules()).hash;
    const auto add = [](auto& list, const auto& more) {
      list.insert(list.end(), more.begin(), more.end());
    };
    for (const DetectedFolder& part : parts_) {
      summary_.read += part.summary.read;
      summary_.quarantined += part.summary.quarantined;
      add(summary_.inputs, part.summary.inputs);
      for (const std::string& warning : part.summary.warnings) {
        // The thresholds of the whole are others.
        if (warning.find(out_of_reach) != std::string::npos) continue;
        summary_.warnings.push_back(warning);
      }
      add(summary_.skipped, part.summary.skipped);
      add(summary_.lost_inputs, part.summary.lost_inputs);
    }
  }

  Status check_places() const {
    for (const DetectedFolder& part : parts_) {
      if (!within(normal_path(options_.output), normal_path(part.folder))) continue;
      return usage_error("the output " + options_.output + " lies in " + part.folder +
                         ", which is to be merged; choose an " + option("output") + " elsewhere");
    }
    return {};
  }

  OutputPaths paths() const { return OutputPaths(verb_, *context_.files); }

  std::string make_identity() const {
    std::string parts;
    for (const DetectedFolder& part : parts_) parts += part.summary.identity + "\n";
    const auto text = [](std::string_view of) {
      const Fingerprint hash = fingerprint_bytes(of);
      return std::to_string(hash.high) + "-" + std::to_string(hash.low);
    };
    return text(std::string(version()) + options_identity("detect", options_)) + "/" + text(parts);
  }

  Result<DetectSummary> read_finished(const std::string& json) {
    DetectSummary summary;
    TWINSET_TRY(read_fields(json, options_.output + "/summary.json", fields_of(summary)));
    summary.json = json;
    summary.already_done = true;
    TWINSET_TRY(read_top_lines(files(), options_.output, options_.top, summary));
    return summary;
  }

  Status merge() {
    TWINSET_TRY(workspace_->start_over());
    const std::uint64_t memory = std::max(memory_.rows, least_detection_bytes);
    context_.memory_bytes = memory;
    context_.tmp = workspace_->spill();
    found_ = std::make_unique<Detections>(context_, workspace_->spill() + "/", memory / 8 * 5);
    std::uint64_t with_chunks = 0;
    for (const DetectedFolder& part : parts_) {
      TWINSET_TRY(context_.check_cancelled());
      TWINSET_ASSIGN(const DetectCounts listed,
                     read_part_lists(files(), part.folder, rules_.hash, *found_));
      TWINSET_TRY(check_counts(part, listed));
      found_->counts.add(part.counts);
      with_chunks += part.summary.page_threshold.of;
      if (found_->shares.count() <= with_chunks) {
        found_->shares.add(0, with_chunks - found_->shares.count());
        continue;
      }
      return io_error(part.folder + " is damaged: it lists more pages than it counts");
    }
    TWINSET_TRY(found_->seal());
    TWINSET_TRY(copy_quarantines());
    clock_.end("read");
    DetectLists lists(context_, workspace_->spill() + "/", rules_, *found_);
    TWINSET_TRY(lists.write(workspace_->out(), summary_));
    summary_.expected_false_labels =
        expected_false_labels(static_cast<double>(summary_.chunks - summary_.labeled_chunks),
                              static_cast<double>(summary_.labels), chunk_hash_bits(rules_.hash));
    summary_.spilled_bytes = found_->spilled_bytes() + lists.spilled_bytes();
    clock_.end("rank");
    clock_.describe(summary_);
    if (!options_.report.empty()) {
      TWINSET_ASSIGN(const ReportFiles report, draw_({options_, summary_, lists.shown()}));
      const std::string inside = paths().report_in_work_folder();
      TWINSET_TRY(write_report(files(), report, inside.empty() ? options_.report : inside));
    }
    TWINSET_ASSIGN(summary_.outputs, files_below(files(), workspace_->out()));
    summary_.json = summary_json(summary_, options_);
    TWINSET_TRY(write_file_atomically(files(), workspace_->out() + "/" + std::string(summary_file),
                                      summary_.json));
    found_.reset();
    return workspace_->publish();
  }

  /// A summary is plain text, which no checksum guards.
  static Status check_counts(const DetectedFolder& part, const DetectCounts& listed) {
    const auto check = [&](const char* name, std::uint64_t counted, std::uint64_t lines) -> Status {
      if (counted == lines) return {};
      return io_error(part.folder + " is damaged: its summary.json says " + name + " " +
                      std::to_string(counted) + ", its lists " + std::to_string(lines) +
                      "; run detect on this part again");
    };
    TWINSET_TRY(check("labeled_pages", part.counts.labeled_pages, listed.labeled_pages));
    TWINSET_TRY(check("labeled_chunks", part.counts.labeled_chunks, listed.labeled_chunks));
    TWINSET_TRY(check("labeled_files", part.counts.labeled_files, listed.labeled_files));
    return check("recursion_errors", part.counts.recursion_errors, listed.recursion_errors);
  }

  /// One after the other.
  Status copy_quarantines() const {
    TWINSET_ASSIGN(auto sink, create_output(files(), workspace_->out(),
                                            std::string(quarantine_file), Compression::none, 0));
    for (const DetectedFolder& part : parts_) {
      TWINSET_TRY(for_each_raw_line(files(), part.folder + "/" + std::string(quarantine_file),
                                    [&](std::string_view raw) -> Result<bool> {
                                      TWINSET_TRY(sink->write(raw));
                                      return true;
                                    }));
    }
    return sink->finish();
  }

  DetectOptions options_;
  DetectRules rules_;
  DrawReport<DetectFindings> draw_;
  RunContext context_;
  MemoryLease lease_;
  MemoryPlan memory_;
  StageClock clock_;
  std::vector<DetectedFolder> parts_;
  VerbOptions verb_;
  std::unique_ptr<Workspace> workspace_;
  std::unique_ptr<Detections> found_;
  DetectSummary summary_;
};

}  // namespace

Result<DetectSummary> merge_detections(const DetectOptions& options, const RunControl& control,
                                       DrawReport<DetectFindings> draw) {
  TWINSET_ASSIGN(const DetectRules rules, DetectRules::parse(options));
  return Merge(options, rules, control, draw).run();
}

}  // namespace twinset

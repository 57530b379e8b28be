// The main job from end to end. This file is its table of contents: make the
// options good, find the inputs, take the work folder, read, match, count,
// write, publish. Each step is a file of its own.
#include "twinset/dedup.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <numeric>
#include <string>

#include "job/dedup_job.h"
#include "job/dedup_report.h"
#include "job/keep_order.h"
#include "job/match.h"
#include "job/prepare.h"
#include "job/read_pass.h"
#include "job/run_state.h"
#include "job/stage_clock.h"
#include "job/summary.h"
#include "job/texts.h"
#include "job/workspace.h"
#include "job/write_pass.h"
#include "report/numbers.h"

namespace twinset {
namespace {

constexpr double warned_removed_share = 0.2;

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::string normal_path(const std::string& path) {
  std::error_code failed;
  const auto full =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path, failed), failed);
  std::string text = failed ? path : full.string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

/// True if `path` is `folder` or lies below it.
bool within(const std::string& path, const std::string& folder) {
  return path == folder || (path.size() > folder.size() && path.starts_with(folder) &&
                            (path[folder.size()] == '/' || folder == "/"));
}

class DedupRun {
 public:
  DedupRun(const DedupOptions& options, const RunControl& control)
      : options_(options), control_(control) {}

  /// A dry run leaves nothing behind, however it ends.
  Result<DedupSummary> run() {
    Result<DedupSummary> done = run_steps();
    if (options_.dry_run && workspace_ != nullptr) {
      stores_ = {};
      TWINSET_TRY(workspace_->abandon());
    }
    return done;
  }

 private:
  Result<DedupSummary> run_steps() {
    summary_.started = utc_now();
    while (options_.output.size() > 1 && options_.output.back() == '/') options_.output.pop_back();
    if (options_.dry_run) {
      const std::string folder = options_.resources.tmp.empty()
                                     ? std::filesystem::temp_directory_path().string()
                                     : options_.resources.tmp;
      options_.output = folder + "/twinset-dry-run-" + std::to_string(::getpid()) + "-" +
                        std::to_string(reinterpret_cast<std::uintptr_t>(this));
    }
    TWINSET_TRY(prepare_job(options_, control_, job_));
    options_ = job_.options;
    Result<bool> done = open_workspace();
    TWINSET_TRY(done);
    if (done.value()) {
      summary_.already_done = true;
      return summary_;
    }
    TWINSET_TRY(read());
    clock_.end("read");
    TWINSET_TRY(match());
    TWINSET_TRY(count());
    const auto set_times = [&] {
      summary_.seconds = clock_.seconds();
      summary_.cpu_seconds = clock_.cpu_seconds();
      summary_.stages = clock_.stages();
      summary_.peak_memory_bytes = peak_memory_bytes();
    };
    TWINSET_TRY(write());
    clock_.end("write");
    set_times();
    TWINSET_TRY(make_report());
    if (options_.dry_run) return summary_;
    TWINSET_TRY(finish());
    return summary_;
  }

  bool reads_standard_input() const {
    return std::find(options_.inputs.begin(), options_.inputs.end(), "-") != options_.inputs.end();
  }

  /// Finds the inputs and takes the work folder; true if all was done before.
  Result<bool> open_workspace() {
    FileSystem& files = *job_.context.files;
    if (!reads_standard_input()) TWINSET_TRY(find_inputs(""));
    Workspace::Settings settings{options_.output, options_.resources.tmp, identity()};
    identity_ = settings.identity;
    Result<bool> finished = Workspace::finished(files, settings);
    TWINSET_TRY(finished);
    if (finished.value()) return true;
    Result<FileStatus> begun = files.status(options_.output + ".partial");
    TWINSET_TRY(begun);
    if (begun.value().kind == FileStatus::Kind::missing) TWINSET_TRY(check_report_is_new());
    Result<std::unique_ptr<Workspace>> workspace = Workspace::open(files, settings);
    TWINSET_TRY(workspace);
    workspace_ = std::move(workspace).value();
    job_.work = workspace_->folder();
    job_.spill = workspace_->spill() + "/";
    job_.context.tmp = workspace_->spill();
    if (reads_standard_input()) {
      TWINSET_TRY(workspace_->start_over());
      Status found = find_inputs(job_.spill + "stdin");
      if (!found.ok()) {
        // What was read of standard input is of no use to another run.
        [[maybe_unused]] const Status removed = workspace_->abandon();
        return found.error();
      }
    } else {
      TWINSET_TRY(load_checkpoint());
    }
    TWINSET_TRY(check_free_space());
    return false;
  }

  Status find_inputs(const std::string& spool) {
    InputOptions wanted{options_.inputs, options_.references, options_.input.format, spool};
    Result<InputList> list = expand_inputs(*job_.context.files, wanted);
    TWINSET_TRY(list);
    job_.list = std::move(list).value();
    summary_.skipped = job_.list.skipped;
    job_.reference_sources = static_cast<std::uint64_t>(
        std::count_if(job_.list.inputs.begin(), job_.list.inputs.end(),
                      [](const Input& input) { return input.reference; }));
    if (std::any_of(job_.list.inputs.begin(), job_.list.inputs.end(),
                    [](const Input& input) { return input.markup == Markup::html; })) {
      job_.fingerprint = scheme_fingerprint(*job_.scheme, *job_.analyzer, Markup::html);
    }
    return check_output_apart();
  }

  /// The output must be no input, nor lie in an input folder, nor hold one.
  Status check_output_apart() const {
    if (options_.dry_run) return {};
    const std::string output = normal_path(options_.output);
    const std::string report = options_.report.empty() ? "" : normal_path(options_.report);
    for (const std::vector<std::string>* arguments : {&options_.inputs, &options_.references}) {
      for (const std::string& argument : *arguments) {
        if (argument != "-" && within(output, normal_path(argument))) {
          return usage_error("the output " + options_.output + " lies in the input " + argument +
                             "; choose an -o elsewhere");
        }
      }
    }
    for (const Input& input : job_.list.inputs) {
      if (within(normal_path(input.path), output)) {
        return usage_error("the input " + input.shown + " lies in the output " + options_.output +
                           "; choose another -o");
      }
      if (!report.empty() && normal_path(input.path) == report) {
        return usage_error("--report " + options_.report + " is an input; choose another name");
      }
      TWINSET_TRY(check_output_name(input));
    }
    return check_report_path(report, output);
  }

  /// Inputs' names below the output must not be those of twinset's own files.
  Status check_output_name(const Input& input) const {
    if (input.reference || options_.emit == Emit::ids) return {};
    std::vector<std::string> own{"removed.jsonl.zst", "clusters.jsonl.zst", "quarantine.jsonl",
                                 std::string(summary_file)};
    if (options_.write_removed) own.emplace_back("removed");
    const std::string output = normal_path(options_.output);
    if (!options_.report.empty() && within(normal_path(options_.report), output)) {
      own.push_back(normal_path(options_.report).substr(output.size() + 1));
    }
    const bool taken = std::any_of(own.begin(), own.end(), [&](const std::string& name) {
      return within(input.name, name) || within(input.name, name + ".partial");
    });
    if (!taken) return {};
    return usage_error("the input " + input.shown + " would be written as " + input.name +
                       ", a name of twinset's own; rename it or use --emit ids");
  }

  /// The report's folder must be there now, not only after all the work.
  Status check_report_path(const std::string& report, const std::string& output) const {
    if (report.empty()) return {};
    if (within(report, output)) {
      const std::string name = report.substr(std::min(report.size(), output.size() + 1));
      if (name.empty() || name.find('/') != std::string::npos ||
          name.find('.') == std::string::npos || !name.ends_with(".html")) {
        return usage_error("--report inside the output is a file right in it, such as " +
                           options_.output + "/report.html");
      }
      return {};
    }
    FileSystem& files = *job_.context.files;
    const std::string folder = std::filesystem::path(report).parent_path().string();
    Result<FileStatus> parent = files.status(folder);
    TWINSET_TRY(parent);
    if (parent.value().kind != FileStatus::Kind::directory) {
      return io_error("cannot make " + options_.report + ": there is no folder " + folder);
    }
    return {};
  }

  /// Asked only of a run that begins: one that goes on may have made it already.
  Status check_report_is_new() const {
    if (options_.report.empty()) return {};
    Result<FileStatus> there = job_.context.files->status(options_.report);
    TWINSET_TRY(there);
    if (there.value().kind == FileStatus::Kind::missing) return {};
    return usage_error("--report " + options_.report + " exists; twinset overwrites nothing");
  }

  /// One line that tells this command and its inputs from any other.
  std::string identity() const {
    if (reads_standard_input()) {
      // Nobody can tell whether it is the same input again: every run is its own.
      const auto now = std::chrono::system_clock::now().time_since_epoch().count();
      return std::string(standard_input) + std::to_string(now) + "-" + std::to_string(::getpid());
    }
    std::string all(twinset_version);
    DedupOptions deciding = options_;
    // These say when to stop, not what comes out: a run they stopped goes on when
    // they are raised.
    deciding.max_bad.reset();
    deciding.max_removed.reset();
    all += options_json(deciding);
    all += job_.scheme->spec() + std::to_string(job_.fingerprint);
    for (const Input& input : job_.list.inputs) {
      all += input.path + '\0' + std::to_string(input.status.size) + '\0' +
             std::to_string(input.status.mtime_ns) + '\0' + std::string(input.format) + '\0';
    }
    const Fingerprint hash = fingerprint_bytes(all);
    return std::to_string(hash.high) + "-" + std::to_string(hash.low);
  }

  Status load_checkpoint() {
    Result<bool> found = workspace_->load(checkpoint_);
    TWINSET_TRY(found);
    if (found.value()) {
      summary_.resumed = true;
      return load_read_state(checkpoint_, state_);
    }
    checkpoint_ = {};
    return workspace_->start_over();
  }

  /// Before the work: is there room for about what such inputs spill and leave?
  Status check_free_space() const {
    std::uint64_t stored = 0;
    std::uint64_t text = 0;
    for (const Input& input : job_.list.inputs) {
      stored += input.status.size;
      text += input.status.size * (input.compression == Compression::none ? 1 : 4);
    }
    // Rows stay in memory while they fit; what is beyond is about half the text.
    const std::uint64_t spill =
        text / 2 > job_.context.memory_bytes / 2 ? text / 2 - job_.context.memory_bytes / 2 : 0;
    const std::uint64_t output = options_.emit == Emit::records && !options_.dry_run ? stored : 0;
    const std::pair<std::string, std::uint64_t> needs[] = {{job_.work, output},
                                                           {workspace_->spill(), spill}};
    for (const auto& [folder, bytes] : needs) {
      Result<std::uint64_t> available = job_.context.files->free_bytes(folder);
      TWINSET_TRY(available);
      if (available.value() < bytes) {
        return io_error("not enough room in " + folder + ": about " + std::to_string(bytes) +
                        " bytes are needed, " + std::to_string(available.value()) +
                        " are free; make room or choose another -o or --tmp");
      }
    }
    return {};
  }

  Status read() {
    const std::uint64_t least = least_memory(options_, job_.context.threads);
    job_.context.memory_bytes -= std::min(least, job_.context.memory_bytes);
    TWINSET_TRY(open_stores(job_, summary_.resumed ? &checkpoint_ : nullptr, state_, stores_));
    const SaveCheckpoint save = [&](const ReadState& state) -> Status {
      StateFile file;
      TWINSET_TRY(checkpoint_stores(stores_, file));
      store_read_state(state, file);
      return workspace_->save(file);
    };
    const bool finished_before = state_.finished;
    TWINSET_TRY(read_inputs(job_, stores_, save, state_));
    if (!finished_before && state_.text_bytes >= options_.resources.checkpoint_bytes) {
      TWINSET_TRY(save(state_));
    }
    summary_.text_bytes = state_.text_bytes;
    summary_.spilled_bytes = stores_.spilled_bytes();
    return stores_.quarantine->sync();
  }

  Status match() {
    const std::uint64_t documents =
        std::accumulate(state_.lines.begin(), state_.lines.end(), std::uint64_t{0});
    const bool orders = job_.keep.by != KeepRule::By::input;
    const std::uint64_t resident = DocumentTable::bytes_needed(documents, orders);
    if (resident > job_.context.memory_bytes) {
      return usage_error(
          "--memory is too small for " + std::to_string(documents) + " records: it needs " +
          std::to_string(least_memory(options_, job_.context.threads) + resident) + " bytes");
    }
    table_ = std::make_unique<DocumentTable>(state_.lines, job_.reference_sources);
    texts_ = std::make_unique<Texts>(job_, *stores_.records, *table_);
    if (checkpoint_.has("matched")) return load_match();
    TWINSET_TRY(set_fates());
    TWINSET_TRY(set_keep_order(job_, *stores_.records, *table_, job_.context.memory_bytes / 3));
    proofs_ = std::make_unique<RowFile<Proof>>(
        RowsOptions{&job_.context, job_.spill + "proofs", 0, job_.fingerprint});
    Result<MatchReport> report = match_documents(job_, stores_, *table_, *texts_, *proofs_, clock_);
    TWINSET_TRY(report);
    const MatchReport& found = report.value();
    summary_.candidate_pairs = found.candidate_pairs;
    summary_.checked_pairs = found.checked_pairs;
    summary_.verified_pairs = found.verified_pairs;
    summary_.repair_rounds = found.repair_rounds;
    summary_.spilled_bytes += found.spilled_bytes + texts_->extracted_bytes();
    common_keys_ = found.common_keys.keys_cut;
    warn_of_common_keys();
    if (state_.text_bytes < options_.resources.checkpoint_bytes) return {};
    return save_match();
  }

  void warn_of_common_keys() {
    if (common_keys_ == 0) return;
    summary_.warnings.push_back(format_count(common_keys_, "common shingle", "common shingles") +
                                ", in more than " + format_count(options_.max_group) +
                                " documents each, not counted (--max-group)");
  }

  /// The second checkpoint: all is decided, only the writing is left.
  Status save_match() {
    TWINSET_TRY(save_standings(job_, *table_));
    TWINSET_TRY(texts_->sync());
    StateFile file;
    TWINSET_TRY(stores_.records->sync());
    store_read_state(state_, file);
    file.set("matched", std::uint64_t{1});
    file.set("candidate_pairs", summary_.candidate_pairs);
    file.set("checked_pairs", summary_.checked_pairs);
    file.set("verified_pairs", summary_.verified_pairs);
    file.set("repair_rounds", summary_.repair_rounds);
    file.set("common_keys", common_keys_);
    return workspace_->save(file);
  }

  Status load_match() {
    TWINSET_TRY(load_standings(job_, *table_));
    TWINSET_TRY(texts_->reopen());
    auto proofs = RowFile<Proof>::open(job_.context, job_.spill + "proofs", job_.fingerprint);
    TWINSET_TRY(proofs);
    proofs_ = std::move(proofs).value();
    summary_.candidate_pairs = checkpoint_.number("candidate_pairs");
    summary_.checked_pairs = checkpoint_.number("checked_pairs");
    summary_.verified_pairs = checkpoint_.number("verified_pairs");
    summary_.repair_rounds = checkpoint_.number("repair_rounds");
    common_keys_ = checkpoint_.number("common_keys");
    warn_of_common_keys();
    return {};
  }

  /// Fates that pass 1 decided: blank lines, bad and filtered records.
  Status set_fates() {
    return stores_.records->for_each([&](std::uint64_t index, const RecordRow& row) -> Status {
      if (row.fate() != Fate::kept) table_->set(index, {row.fate(), 0});
      return {};
    });
  }

  Status count() {
    Result<std::vector<Counts>> counts = count_fates(job_, *stores_.records, *table_);
    TWINSET_TRY(counts);
    std::uint64_t all_read = 0;
    const auto add_file = [&](std::uint64_t source) -> Status {
      const Input& input = job_.source(source);
      const Counts& file = counts.value()[source];
      if (file.read != file.kept + file.removed() + file.quarantined + file.filtered) {
        return io_error("records of " + input.shown + " do not add up; nothing was written");
      }
      all_read += file.read;
      summary_.files.push_back({input.shown, input.name, input.reference, file});
      if (input.reference) return {};
      add(summary_.total, file);
      const auto gone = static_cast<double>(file.removed());
      if (!is_one_document(input) && gone > warned_removed_share * static_cast<double>(file.read)) {
        summary_.warnings.push_back(input.shown + " loses " + format_count(file.removed()) +
                                    " of its " + format_count(file.read) + " records");
      }
      return {};
    };
    for (std::uint64_t i = job_.reference_sources; i < job_.sources(); ++i)
      TWINSET_TRY(add_file(i));
    for (std::uint64_t i = 0; i < job_.reference_sources; ++i) TWINSET_TRY(add_file(i));
    if (all_read != state_.records) {
      return io_error(std::to_string(state_.records) + " records were read but " +
                      std::to_string(all_read) + " are accounted for; nothing was written");
    }
    if (summary_.total.quarantined > 0) {
      summary_.warnings.push_back(
          format_count(summary_.total.quarantined, "bad record is", "bad records are") +
          " in quarantine.jsonl, with the reason");
    }
    summary_.scheme = job_.scheme->spec();
    if (const auto found = job_.scheme->match_probability(options_.resemblance.value())) {
      summary_.plan = fmt::format("finds {:.1f} % of pairs at exactly {}, and more above",
                                  *found * 100, options_.resemblance.text());
    }
    return check_max_removed();
  }

  static void add(Counts& total, const Counts& file) {
    total.read += file.read;
    total.kept += file.kept;
    total.identical += file.identical;
    total.lexical += file.lexical;
    total.near += file.near;
    total.contained += file.contained;
    total.quarantined += file.quarantined;
    total.filtered += file.filtered;
  }

  Status check_max_removed() const {
    if (!options_.max_removed.has_value()) return {};
    const Ratio& most = *options_.max_removed;
    const std::uint64_t gone = summary_.total.removed();
    if (gone * most.denominator() <= summary_.total.read * most.numerator()) return {};
    return Error{ErrorCode::bad_records,
                 std::to_string(gone) + " of " + std::to_string(summary_.total.read) +
                     " records would go, more than --max-removed " + most.text() +
                     "; nothing was written. Look with --dry-run or raise it"};
  }

  Status write() {
    Result<ClusterCount> clusters =
        options_.dry_run ? count_clusters(job_, *table_, *proofs_)
                         : write_outputs(job_, state_, *stores_.records, *table_, *proofs_);
    TWINSET_TRY(clusters);
    summary_.clusters = clusters.value().clusters();
    summary_.largest_cluster = clusters.value().largest();
    return {};
  }

  Status make_report() {
    if (options_.report.empty() || options_.dry_run) return {};
    Result<std::string> page =
        dedup_report_page(job_, *stores_.records, *table_, *proofs_, *texts_, summary_);
    TWINSET_TRY(page);
    report_page_ = std::move(page).value();
    return {};
  }

  /// Summary and report last, then the rename that makes it all visible.
  Status finish() {
    FileSystem& files = *job_.context.files;
    const std::string report = normal_path(options_.report);
    const std::string output = normal_path(options_.output);
    const bool report_inside = !options_.report.empty() && within(report, output);
    if (report_inside) {
      TWINSET_TRY(write_file_atomically(files, job_.work + "/out" + report.substr(output.size()),
                                        report_page_));
    }
    TWINSET_TRY(write_file_atomically(files, job_.work + "/out/" + std::string(summary_file),
                                      summary_json(summary_, options_, identity_)));
    if (!options_.report.empty() && !report_inside) {
      TWINSET_TRY(write_file_atomically(files, options_.report, report_page_));
    }
    stores_ = {};
    return workspace_->publish();
  }

  StageClock clock_;
  DedupOptions options_;
  const RunControl& control_;
  DedupJob job_;
  std::string identity_;
  std::unique_ptr<Workspace> workspace_;
  StateFile checkpoint_;
  ReadState state_;
  DedupStores stores_;
  std::unique_ptr<DocumentTable> table_;
  std::unique_ptr<Texts> texts_;
  std::unique_ptr<RowFile<Proof>> proofs_;
  std::string report_page_;
  std::uint64_t common_keys_ = 0;
  DedupSummary summary_;
};

}  // namespace

Result<DedupSummary> dedup(const DedupOptions& options, const RunControl& control) {
  return DedupRun(options, control).run();
}

}  // namespace twinset

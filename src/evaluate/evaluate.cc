// evaluate: sample, plant, run, measure; or, with schemes to try, what
// evaluate_schemes.h does. This file's interface is evaluate().
#include "twinset/evaluate.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <vector>

#include "dedup/dedup_options.h"
#include "evaluate/evaluate_schemes.h"
#include "evaluate/evaluation.h"
#include "io/json.h"
#include "run/each_document.h"
#include "run/file_collection.h"
#include "run/input_troubles.h"
#include "run/output_lines.h"
#include "run/prepare.h"
#include "run/record_view.h"

namespace twinset {
namespace {

constexpr std::size_t write_buffer_bytes = std::size_t{1} << 20;

/// Removes a folder at the end of its scope.
class ScratchFolder {
 public:
  ScratchFolder(FileSystem& files, std::string path) : files_(files), path_(std::move(path)) {}
  ~ScratchFolder() { [[maybe_unused]] const Status removed = files_.remove_tree(path_); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  FileSystem& files_;
  std::string path_;
};

class Evaluation {
 public:
  Evaluation(const EvaluateOptions& options, const RunControl& control, RunFacts& facts)
      : options_(options), control_(control), facts_(facts) {}

  Result<std::string> run() {
    TWINSET_TRY(prepare_job(options_, deciding_verb(options_), control_, job_));
    if (job_.view.analyzer->takes_features()) {
      return usage_error(
          "evaluate plants edited words, which lists of features have none of; "
          "leave --analyzer " +
          options_.analyzer + " out");
    }
    TWINSET_TRY(check_schemes());
    const ScratchFolder scratch(files(), scratch_path());
    TWINSET_TRY(files().make_directory(scratch.path()));
    TWINSET_TRY(find_inputs(scratch.path() + "/stdin"));
    if (!options_.schemes.empty()) return evaluate_schemes(options_, job_, facts_);
    TWINSET_ASSIGN(EvaluationPlan plan, plant());
    const std::string planted = scratch.path() + "/planted.jsonl";
    TWINSET_TRY(write_plan(plan, planted));
    DedupOptions run = judged_run(planted, scratch.path());
    Result<DedupSummary> done = dedup(run, control_);
    TWINSET_TRY(job_.context.check_cancelled());  // The inner run's message would promise more.
    TWINSET_TRY(done);
    TWINSET_ASSIGN(std::vector<PlantedOutcome> outcomes, read_outcomes(run.output, plan.size()));
    TWINSET_ASSIGN(EvaluationReport report, measure(plan, outcomes, job_.context.threads));
    if (options_.json) {
      return evaluation_json(report, lost_inputs_json(facts_.lost_inputs)) + "\n";
    }
    return "scheme " + done.value().scheme + "\n" + done.value().plan + "\n\n" +
           evaluation_table(report);
  }

 private:
  FileSystem& files() const { return *job_.context.files; }

  /// Options that only mean something where schemes are tried.
  Status check_schemes() const {
    if (!options_.schemes.empty()) return {};
    EvaluateOptions asked = options_;
    for (const Option& option : options_of(asked)) {
      const std::string value = option.heading == Heading::trial ? option.text() : "";
      if (value.empty() || value == "false") continue;
      return usage_error(std::string(option.long_flag()) +
                         " goes with --schemes; --schemes all tries every scheme there is");
    }
    return {};
  }

  std::string scratch_path() const {
    const std::string& tmp = options_.resources.tmp;
    std::error_code failed;  // Then the folder cannot be made, and that is said.
    return (tmp.empty() ? std::filesystem::temp_directory_path(failed).string() : tmp) +
           "/twinset-evaluate-" + std::to_string(::getpid());
  }

  /// Standard input goes to `spool`.
  Status find_inputs(const std::string& spool) {
    TWINSET_ASSIGN(
        std::unique_ptr<FileCollection> found,
        FileCollection::find(
            files(),
            {options_.inputs, {}, options_.input.format, spool, options_.input.allow_lost}));
    job_.collection = std::move(found);
    const auto skipped = job_.collection->skipped();
    facts_.skipped.assign(skipped.begin(), skipped.end());
    return {};
  }

  /// Samples the inputs and plans what is planted.
  Result<EvaluationPlan> plant() {
    EvaluationOptions planned;
    planned.analyzer = job_.view.analyzer;
    planned.shingle_tokens = job_.view.shingle_tokens;
    planned.resemblance = job_.thresholds.resemblance;
    planned.containment = job_.thresholds.containment;
    if (job_.keep.by == KeepRule::By::size) {
      planned.kept = job_.keep.descending ? KeptOfTwo::larger : KeptOfTwo::smaller;
    }
    planned.seed = options_.sample_seed;
    OriginalSample sample(planned);
    InputTroubles troubles;
    RecordView view(job_.view);
    std::uint64_t documents = 0;
    TWINSET_TRY(for_each_document(job_, job_.fields, troubles,
                                  [&](std::uint64_t, const Record& record) -> Status {
                                    ++documents;
                                    // The visible text of a page is planted, because edits do not
                                    // know tags.
                                    view.look_at(record);
                                    sample.add(view.visible_text(), view.analysis().tokens.size());
                                    return {};
                                  }));
    describe_troubles(troubles, *job_.collection, facts_);
    if (documents == 0 && !options_.input.allow_lost) TWINSET_TRY(nothing_left(facts_.lost_inputs));
    return EvaluationPlan::make(planned, std::move(sample));
  }

  Status write_plan(const EvaluationPlan& plan, const std::string& path) {
    TWINSET_ASSIGN(std::unique_ptr<File> file, files().open(path, OpenMode::create));
    std::string lines;
    for (std::size_t i = 0; i < plan.size(); ++i) {
      TWINSET_TRY(job_.context.check_cancelled());
      JsonObject line(lines);
      line.number("id", i).string("text", plan.text(i));
      line.end();
      lines += '\n';
      if (lines.size() < write_buffer_bytes) continue;
      TWINSET_TRY(file->append(lines));
      lines.clear();
    }
    return file->append(lines);
  }

  /// A dedup of the planted documents alone, which decides as the one to be judged.
  DedupOptions judged_run(const std::string& planted, const std::string& folder) const {
    DedupOptions run;
    static_cast<DecisionOptions&>(run) = options_;
    run.inputs = {planted};
    run.output = folder + "/out";
    run.input = {};
    run.input.max_record_bytes = options_.input.max_record_bytes;
    run.emit = Emit::ids;
    run.min_tokens = 0;
    run.max_bad.reset();
    // A copy may stand ahead of its original: any keep order judges the same pairs.
    if (job_.keep.by == KeepRule::By::field) run.keep = "first";
    return run;
  }

  Result<std::vector<PlantedOutcome>> read_outcomes(const std::string& output,
                                                    std::size_t documents) {
    std::vector<PlantedOutcome> outcomes(documents);
    const std::string path = output + "/removed.jsonl.zst";
    TWINSET_TRY(for_each_line(files(), path, [&](const JsonNode& line) -> Result<bool> {
      const std::uint64_t record = line["record"].integer().value_or(0);
      const std::uint64_t survivor = line["survivor_record"].integer().value_or(0);
      if (record - 1 >= documents || survivor - 1 >= documents) {
        return io_error(path + " is damaged");
      }
      outcomes[record - 1].kept = false;
      outcomes[record - 1].survivor = static_cast<std::uint32_t>(survivor - 1);
      return true;
    }));
    return outcomes;
  }

  const EvaluateOptions& options_;
  const RunControl& control_;
  RunFacts& facts_;
  Job job_;
};

}  // namespace

Result<std::string> evaluate(const EvaluateOptions& options, const RunControl& control,
                             RunFacts* facts) {
  RunFacts unasked;
  return Evaluation(options, control, facts != nullptr ? *facts : unasked).run();
}

}  // namespace twinset

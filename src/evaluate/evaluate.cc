// evaluate: samples the collection, plants edited copies, lets dedup and each scheme judge them,
// and compares the results with the exact pairs and with labels. This file's interface is
// evaluate().
//
// The collection is read once. Each document is offered to the sample and, if it has a label, added
// to the labeled documents.
#include "twinset/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/message.h"
#include "collection/file_collection.h"
#include "collection/input_troubles.h"
#include "collection/memory_collection.h"
#include "collection/output_files.h"
#include "dedup/dedup_options.h"
#include "evaluate/document_sample.h"
#include "evaluate/labeled_documents.h"
#include "evaluate/queries.h"
#include "evaluate/trial.h"
#include "evaluate/trial_run.h"
#include "evaluate/trial_set.h"
#include "io/field_json.h"
#include "io/json.h"
#include "run/common_options.h"
#include "run/each_document.h"
#include "run/prepare.h"
#include "run/scratch_folder.h"
#include "run/stage_clock.h"
#include "scheme/record_view.h"
#include "sites/site_templates.h"

namespace twinset {
namespace {

constexpr std::size_t write_buffer_bytes = std::size_t{1} << 20;

/// A line of the file of copies.
struct PlantedCopy {
  std::string_view id;        ///< a JSON value
  std::string_view original;  ///< likewise
  std::string_view edit;
  double resemblance = 0;
  double containment = 0;  ///< of the copy in the original
  double original_containment = 0;
  std::string_view text;
};

std::vector<Field> fields_of(PlantedCopy& copy) {
  return {{"id", AsWritten{&copy.id}},
          {"original", AsWritten{&copy.original}},
          {"edit", &copy.edit, Unit::text},
          {"resemblance", &copy.resemblance, Unit::share},
          {"containment", &copy.containment, Unit::share},
          {"original_containment", &copy.original_containment, Unit::share},
          {"text", &copy.text, Unit::text}};
}

/// The run that the evaluation judges.
DedupOptions judged_run(const EvaluateOptions& options) {
  DedupOptions run;
  static_cast<CollectionOptions&>(run) = collection_of(options, options);
  static_cast<DecisionOptions&>(run) = options;
  return run;
}

SampleLimits limits_of(const EvaluateOptions& options) {
  SampleLimits limits;
  limits.documents = options.sample.value_or(limits.documents);
  return limits;
}

class Evaluator {
 public:
  Evaluator(const EvaluateOptions& options, const RunControl& control)
      : options_(options),
        control_(control),
        run_(judged_run(options)),
        sample_(limits_of(options), options.sample_seed),
        labeled_(options) {}

  Result<Evaluation> run() {
    TWINSET_TRY(prepare());
    TWINSET_TRY(labeled_.open(files()));
    const ScratchFolder scratch(files(), scratch_path(options_.resources, "evaluate"));
    TWINSET_TRY(files().make_directory(scratch.path()));
    run_.resources.tmp = scratch.path();
    TWINSET_TRY(find_inputs(scratch.path() + "/stdin"));
    TWINSET_TRY(leave_out_templates());
    TWINSET_TRY(read_inputs());
    if (const DrawnSample* const drawn = options_.drawn; drawn != nullptr) {
      labeled_.set_counts(drawn->labeled, drawn->unlabeled, drawn->labeled_bytes);
    }
    TWINSET_TRY(labeled_.check());
    clock_.end("read");
    TWINSET_ASSIGN(Evaluation evaluation, try_methods());
    clock_.end("evaluate");
    describe_run(evaluation);
    return evaluation;
  }

  Result<SampleRule> rule() {
    TWINSET_TRY(prepare());
    TWINSET_TRY(labeled_.open(files()));
    return SampleRule{options_.analyzer, job_.signer.view.shingle_tokens,
                      options_.input.format == "html", options_.sample_seed, limits_of(options_)};
  }

 private:
  FileSystem& files() const { return *job_.context.files; }

  Status prepare() {
    if (!options_.columns.empty() && !options_.inputs.empty()) {
      return usage_error("give either inputs or columns");
    }
    job_.reads_named = options_.columns.empty();
    TWINSET_TRY(
        prepare_job(collection_of(options_, options_), deciding_verb(options_), control_, job_));
    TWINSET_TRY(check());
    trial_ = trial_options();
    if (!options_.schemes.empty()) {
      TWINSET_ASSIGN(trial_.specs, parse_scheme_list(options_.schemes, trial_.resemblance));
    }
    if (!options_.truth.empty()) {
      TWINSET_ASSIGN(trial_.truth, parse_truth(options_.truth));
    }
    return {};
  }

  /// Refuses bad options before anything is read.
  Status check() const {
    if (job_.signer.view.analyzer->takes_features()) {
      return usage_error(
          "evaluate plants edited words, which lists of features have none of; leave " +
          option("analyzer", options_.analyzer) + " out");
    }
    constexpr std::uint64_t most_sampled = 100'000;
    if (options_.sample == 0) return usage_error(option("sample") + " is at least 1");
    if (options_.sample > most_sampled) {
      return usage_error(
          fmt::format("{} is at most {}: every pair of it is compared with "
                      "the pairs that each method finds",
                      option("sample"), most_sampled));
    }
    if (options_.ignore_unknown_labels && options_.labels_file.empty()) {
      return usage_error(switch_on("ignore_unknown_labels") + " is about the ids of a " +
                         option("labels_file"));
    }
    if (!options_.labels.empty() && !options_.labels_file.empty()) {
      return usage_error(option("labels") + " and " + option("labels_file") +
                         " both give labels; leave one out");
    }
    if (!options_.utility.empty()) {
      if (!labeled_.wanted()) {
        return usage_error(option("utility") + " needs " + option("labels") + " or " +
                           option("labels_file") + ": it counts labels found");
      }
      if (options_.schemes.empty()) {
        return usage_error(option("utility") + " is of schemes; name some with " +
                           option("schemes"));
      }
    }
    constexpr std::uint64_t most_cost = 1'000'000;
    if (options_.cost > most_cost) {
      return usage_error(fmt::format("{} is at most {}", option("cost"), most_cost));
    }
    if (options_.copies_out.empty()) return {};
    return check_new_file(files(), "copies_out", options_.copies_out);
  }

  TrialOptions trial_options() const {
    TrialOptions trial;
    trial.resemblance = job_.thresholds.resemblance;
    trial.analyzer = job_.signer.view.analyzer;
    trial.max_group = options_.max_group;
    trial.threads = job_.context.threads;
    trial.keep_going = [this] { return job_.context.check_cancelled(); };
    return trial;
  }

  TrialSetOptions set_options() const {
    TrialSetOptions options;
    options.analyzer = job_.signer.view.analyzer;
    options.shingle_tokens = job_.signer.view.shingle_tokens;
    const Ratio& asked = trial_.resemblance;
    if (!options.floor.reached_by(asked.numerator(), asked.denominator())) options.floor = asked;
    options.containment = job_.thresholds.containment.value_or(options.containment);
    options.truth = trial_.truth;
    options.seed = options_.sample_seed;
    options.memory_bytes = job_.context.memory_bytes;
    options.threads = trial_.threads;
    options.keep_going = trial_.keep_going;
    return options;
  }

  // ---- Reading ----

  /// Stores standard input in `spool`.
  Status find_inputs(const std::string& spool) {
    if (!options_.columns.empty()) {
      TWINSET_ASSIGN(job_.collection,
                     MemoryCollection::make(options_.columns, options_.input.format));
      return {};
    }
    TWINSET_ASSIGN(
        job_.collection,
        FileCollection::find(files(), input_options(options_.inputs, options_.input, spool)));
    return {};
  }

  /// Learns the templates of the inputs, if documents are to be compared without.
  Status leave_out_templates() {
    CollectionOptions learning = collection_of(options_, options_);
    learning.resources = run_.resources;
    job_.signer.view.pages = std::ranges::any_of(job_.collection->sources(), &Source::pages);
    TWINSET_ASSIGN(job_.signer.view.templates,
                   learn_site_templates(job_.collection, learning, control_));
    return {};
  }

  Status read_inputs() {
    FieldNames fields = job_.fields;
    fields.named.clear();
    if (!options_.labels.empty()) fields.named.push_back(options_.labels);
    if (!options_.url.empty()) fields.named.push_back(options_.url);
    RecordView view(job_.signer.view);
    std::uint64_t documents = 0;
    TWINSET_TRY(for_each_document(job_, fields, troubles_,
                                  [&](std::uint64_t source, const Record& record) -> Status {
                                    ++documents;
                                    text_bytes_ += record.text.size();
                                    view.look_at(record);
                                    add(view, source);
                                    return {};
                                  }));
    if (documents > 0 || options_.input.allow_lost_inputs) return {};
    RunFacts facts;
    describe_run(facts);
    return nothing_left(facts.lost_inputs);
  }

  void describe_run(RunFacts& facts) const {
    clock_.describe(facts);
    facts.verb = "evaluate";
    facts.analyzer = job_.signer.view.analyzer->name();
    facts.analyzer_version = job_.signer.view.analyzer->version();
    facts.text_bytes = text_bytes_;
    const auto skipped = job_.collection->skipped();
    facts.skipped.assign(skipped.begin(), skipped.end());
    describe_troubles(troubles_, *job_.collection, facts);
  }

  void add(const RecordView& view, std::uint64_t source) {
    const Record& record = view.record();
    DocumentPlace place{source, record.number, std::string(record.id), "", false};
    if (place.id.empty()) {
      append_json_string(place.id, made_id(job_.source(source), record.number));
    }
    labeled_.set_label(record, place);
    labeled_.add(view, place);
    if (options_.drawn != nullptr && !options_.drawn->sampled[record.number - 1]) return;
    // The visible text of a page is sampled, because edits do not know tags.
    const std::uint64_t words = view.whole_analysis().tokens.size();
    sample_.add(view.compared_text(), view.shingles(), std::move(place),
                {view.left_out_text(), words, words - view.analysis().tokens.size()});
  }

  /// Of the sample that is read, or of the collection that it was drawn from.
  DrawnSample counts() const {
    if (options_.drawn != nullptr) return *options_.drawn;
    DrawnSample counts;
    counts.documents = sample_.seen();
    counts.too_long = sample_.passed_over();
    counts.too_alike = sample_.too_alike();
    counts.too_much_text = sample_.too_much_text();
    return counts;
  }

  /// The reasons why the sample is not the whole collection, other than --sample.
  static std::string sampled_so_few(const DrawnSample& counts) {
    std::vector<std::string> reasons;
    if (counts.too_much_text) {
      reasons.push_back(fmt::format("as many as {} MiB of text hold", SampleLimits().bytes >> 20));
    }
    if (counts.too_alike > 0) {
      reasons.push_back(fmt::format("{} too like others taken", counts.too_alike));
    }
    if (counts.too_long > 0) {
      reasons.push_back(fmt::format("{} over {} KiB passed over", counts.too_long,
                                    SampleLimits().document_bytes >> 10));
    }
    return fmt::format("{}", fmt::join(reasons, "; "));
  }

  // ---- Judging ----

  Result<Evaluation> try_methods() {
    const DrawnSample counted = counts();
    if (counted.documents > 0 && counted.too_long == counted.documents) {
      return usage_error(
          fmt::format("nothing to evaluate on: all {} documents with a token are "
                      "over {} bytes long",
                      counted.documents, SampleLimits().document_bytes));
    }
    std::vector<SampledDocument> sample = std::move(sample_).take();
    const TemplateEvaluation templates = words_left_out(sample);
    TWINSET_ASSIGN(const TrialSet set, TrialSet::make(set_options(), std::move(sample)));
    std::unique_ptr<WholeFile> copies;
    if (!options_.copies_out.empty()) {
      TWINSET_ASSIGN(copies, WholeFile::create(files(), "copies_out", options_.copies_out));
      TWINSET_TRY(write_copies(set, *copies));
    }
    Evaluation evaluation = start_evaluation(set, trial_);
    evaluation.documents = counted.documents;
    evaluation.sampled_so = sampled_so_few(counted);
    TWINSET_TRY(try_run(set, evaluation));
    if (job_.signer.view.templates != nullptr) {
      evaluation.templates = templates;
      TWINSET_TRY(try_whole_texts(set, evaluation));
    }
    TWINSET_TRY(try_schemes(set, trial_, evaluation));
    TWINSET_TRY(compare_with_labels(set, evaluation));
    TWINSET_TRY(try_queries_on(set, evaluation));
    if (copies != nullptr) TWINSET_TRY(copies->publish());
    return evaluation;
  }

  Status try_run(const TrialSet& set, Evaluation& evaluation) {
    TWINSET_ASSIGN(const RunDecisions run, run_on_set(set, run_, job_.keep, control_));
    TWINSET_ASSIGN(MethodEvaluation method,
                   judge_run(set, run, {job_.thresholds.containment, job_.keep}, evaluation,
                             trial_.keep_going));
    evaluation.methods.push_back(std::move(method));
    return {};
  }

  static TemplateEvaluation words_left_out(std::span<const SampledDocument> sample) {
    TemplateEvaluation sums;
    for (const SampledDocument& document : sample) {
      const PageTemplates& page = document.templates;
      sums.words += page.words;
      sums.words_left_out += page.words_left_out;
      if (2 * page.words_left_out >= page.words) ++sums.mostly_left_out;
    }
    return sums;
  }

  /// The run over whole texts, held against the pairs of what is compared.
  Status try_whole_texts(const TrialSet& set, Evaluation& evaluation) {
    TWINSET_ASSIGN(const RunDecisions run, run_on_set(set, run_, job_.keep, control_, true));
    TWINSET_ASSIGN(const MethodEvaluation method,
                   judge_run(set, run, {job_.thresholds.containment, job_.keep}, evaluation,
                             trial_.keep_going));
    const ThresholdEvaluation& at = method.at[evaluation.chosen];
    evaluation.templates->whole_recall = at.recall;
    evaluation.templates->whole_right = at.precision;
    return {};
  }

  bool queries_wanted() const {
    return !trial_.specs.empty() && (trial_.truth || !options_.utility.empty());
  }

  /// Without labels each original is a query.
  Status try_queries_on(const TrialSet& set, Evaluation& evaluation) {
    if (!queries_wanted() || labeled_.wanted()) return {};
    QueryInputs inputs;
    for (const TrialDocument& document : set.documents().first(set.originals())) {
      inputs.add(document.text, document.analysis, no_label, job_.signer.view.analyzer);
    }
    return answer_queries(inputs, no_label, evaluation);
  }

  struct QueryInputs {
    void add(std::string_view text, const Analysis& analysis, std::uint32_t label,
             const Analyzer* analyzer) {
      views.emplace_back(text, analysis, std::span<const std::uint64_t>(), analyzer);
      tokens.emplace_back(analysis.tokens);
      labels.push_back(label);
    }
    std::vector<GivenView> views;
    std::vector<std::span<const std::uint64_t>> tokens;
    std::vector<std::uint32_t> labels;
  };

  Status answer_queries(const QueryInputs& inputs, std::uint32_t wanted, Evaluation& evaluation) {
    evaluation.queries.emplace();
    evaluation.queries->label = options_.utility;
    evaluation.queries->cost = options_.cost;
    return try_queries({inputs.views, inputs.tokens, inputs.labels, wanted},
                       job_.signer.view.shingle_tokens, job_.context.memory_bytes, trial_,
                       *evaluation.queries);
  }

  Status compare_with_labels(const TrialSet& set, Evaluation& evaluation) {
    if (!labeled_.wanted()) return {};
    const std::vector<LabeledDocument>& documents = labeled_.take(set);
    evaluation.labels_of = labeled_.text();
    std::uint32_t wanted = no_label;
    if (!options_.utility.empty()) {
      TWINSET_ASSIGN(wanted, labeled_.utility_label());
    }
    std::vector<std::string_view> texts;
    QueryInputs inputs;
    for (const LabeledDocument& document : documents) {
      texts.emplace_back(document.text);
      inputs.add(document.text, document.analysis, document.label, job_.signer.view.analyzer);
    }
    TWINSET_ASSIGN(const RunDecisions run, run_on_texts(texts, run_, job_.keep, control_));
    TWINSET_ASSIGN(evaluation.labels,
                   try_labels(documents, run.survivors, job_.signer.view.shingle_tokens,
                              job_.context.memory_bytes, trial_));
    return queries_wanted() ? answer_queries(inputs, wanted, evaluation) : Status();
  }

  /// Writes a line for each copy; docs/evaluate.md lists the members.
  static Status write_copies(const TrialSet& set, WholeFile& file) {
    std::string lines;
    FieldLine<PlantedCopy> line;
    for (std::size_t i = set.originals(); i < set.documents().size(); ++i) {
      const TrialDocument& copy = set.documents()[i];
      const auto document = static_cast<std::uint32_t>(i);
      const ExactPair pair = set.planted_pair(document);
      const std::string id = set.name(document);
      *line = {id,
               set.documents()[copy.original].place.id,
               copy.edit->name,
               pair.resemblance().value(),
               pair.containment_b_in_a().value(),
               pair.containment_a_in_b().value(),
               copy.text};
      line.append(lines);
      if (lines.size() < write_buffer_bytes) continue;
      TWINSET_TRY(file.write(lines));
      lines.clear();
    }
    return file.write(lines);
  }

  const EvaluateOptions& options_;
  const RunControl& control_;
  DedupOptions run_;  ///< of the judged run; it spills to the scratch folder
  Job job_;
  TrialOptions trial_;
  StageClock clock_;
  InputTroubles troubles_;
  std::uint64_t text_bytes_ = 0;
  DocumentSample sample_;
  LabeledDocuments labeled_;
};

}  // namespace

Result<Evaluation> evaluate(const EvaluateOptions& options, const RunControl& control) {
  EvaluateOptions with_profile = options;
  TWINSET_TRY(take_profile(files_of(control), with_profile, with_profile));
  return Evaluator(with_profile, control).run();
}

Result<SampleRule> sample_rule(const EvaluateOptions& options, const RunControl& control) {
  EvaluateOptions with_profile = options;
  TWINSET_TRY(take_profile(files_of(control), with_profile, with_profile));
  // A run needs an input, but none is read here.
  if (with_profile.inputs.empty()) with_profile.columns = {std::span<const std::string_view>()};
  return Evaluator(with_profile, control).rule();
}

}  // namespace twinset

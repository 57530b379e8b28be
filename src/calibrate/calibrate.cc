// calibrate: samples the collection, finds the pairs that a run would find at each value, compares
// them with the truth, and chooses. This file's interface is calibrate().
//
// A distance is chosen from the pairs of a join over the whole collection (distance_run.h). For
// other schemes, and for judged pairs, the collection is read once, here. With labels only labeled
// documents are sampled, with judged pairs only the judged ones; else any, and each sampled
// document gets three planted copies.
#include "twinset/calibrate.h"

#include <fmt/core.h>

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/file_header.h"
#include "base/message.h"
#include "calibrate/calibration_fields.h"
#include "calibrate/choice.h"
#include "calibrate/conclusions.h"
#include "calibrate/distance_run.h"
#include "calibrate/found_pairs.h"
#include "calibrate/judged_pairs.h"
#include "calibrate/observe.h"
#include "calibrate/sampled_documents.h"
#include "collection/file_collection.h"
#include "collection/input_troubles.h"
#include "collection/output_files.h"
#include "evaluate/document_sample.h"
#include "run/common_options.h"
#include "run/each_document.h"
#include "run/prepare.h"
#include "run/profile.h"
#include "run/scratch_folder.h"
#include "run/stage_clock.h"
#include "scheme/record_view.h"
#include "scheme/spec.h"
#include "twinset/result.h"
#include "words/numbers.h"

namespace twinset {
namespace {

constexpr std::uint64_t most_labeled_bytes = std::uint64_t{64} << 20;
constexpr std::uint64_t most_judged_bytes = std::uint64_t{256} << 20;

VerbOptions reading_verb() {
  VerbOptions verb = calibrate_verb();
  verb.stores_nothing = true;
  return verb;
}

class Calibrator {
 public:
  Calibrator(const CalibrateOptions& options, const RunControl& control)
      : options_(options),
        control_(control),
        sample_({.documents = sample_of(options),
                 .seed = options.sample_seed,
                 .max_bytes = options.labels.empty() ? most_original_bytes : most_labeled_bytes}) {}

  Result<Calibration> run() {
    TWINSET_TRY(prepare_job(collection_of(options_, comparison_of(options_)), reading_verb(),
                            control_, job_));
    TWINSET_TRY(check_analyzer(options_, job_));
    if (!options_.pairs.empty()) {
      TWINSET_ASSIGN(judged_, JudgedPairs::read(files(), options_.pairs));
    }
    std::unique_ptr<WholeFile> profile;
    if (!options_.output.empty()) {
      TWINSET_ASSIGN(profile, WholeFile::create(files(), "output", options_.output));
    }
    const ScratchFolder scratch(files(), scratch_path(options_.resources, "calibrate"));
    TWINSET_TRY(files().make_directory(scratch.path()));
    TWINSET_TRY(read_inputs(scratch.path() + "/stdin"));
    TWINSET_TRY(judged_.check());
    clock_.end("read");
    TWINSET_TRY(measure());
    clock_.end("calibrate");
    describe_run();
    made_.profile = profile_text(profile_);
    if (profile != nullptr) {
      TWINSET_TRY(profile->write(made_.profile));
      TWINSET_TRY(profile->publish());
    }
    return std::move(made_);
  }

 private:
  FileSystem& files() const { return *job_.context.files; }
  bool planted() const { return plants_copies(options_); }
  Check check_of_pairs() const {
    return options_.verify.value_or(planted() ? Check::sketch : Check::exact);
  }
  KeepGoing keep_going() const {
    return [this] { return job_.context.check_cancelled(); };
  }

  // ---- Reading ----

  Status read_inputs(const std::string& spool) {
    TWINSET_ASSIGN(
        job_.collection,
        FileCollection::find(files(), input_options(options_.inputs, options_.input, spool)));
    FieldNames fields = job_.fields;
    fields.named = {options_.labels};
    RecordView view(job_.signer.view);
    TWINSET_TRY(for_each_document(job_, fields, troubles_,
                                  [&](std::uint64_t source, const Record& record) -> Status {
                                    made_.text_bytes += record.text.size();
                                    view.look_at(record);
                                    if (view.shingles().empty()) return {};
                                    ++made_.documents;
                                    return add(view, source);
                                  }));
    if (made_.documents > 0) return {};
    describe_run();
    if (!made_.lost_inputs.empty()) return nothing_left(made_.lost_inputs);
    return usage_error("nothing to calibrate on: no document has a token");
  }

  Status add(const RecordView& view, std::uint64_t source) {
    const Record& record = view.record();
    DocumentPlace place{source, record.number, "", "", false};
    if (!options_.pairs.empty()) return add_judged(view, source);
    if (!options_.labels.empty()) {
      std::optional<std::string> label = plain_value(record.field(0));
      if (!label) return {};
      ++labeled_;
      place.label = std::move(*label);
    }
    sample_.add(view.visible_text(), view.shingles(), std::move(place));
    return {};
  }

  Status add_judged(const RecordView& view, std::uint64_t source) {
    const Record& record = view.record();
    std::string id = plain_value(record.id).value_or("");
    if (id.empty()) id = made_id(job_.source(source), record.number);
    TWINSET_ASSIGN(const bool wanted,
                   judged_.take(id, static_cast<std::uint32_t>(documents_.texts.size())));
    if (!wanted) return {};
    hold(std::string(view.visible_text()), view.analysis().tokens);
    judged_bytes_ += documents_.texts.back().text.size();
    if (judged_bytes_ <= most_judged_bytes) return {};
    return usage_error(options_.pairs + " pairs documents of over " +
                       format_bytes(most_judged_bytes) + " of text, more than can be compared");
  }

  void hold(std::string text, const std::vector<std::uint64_t>& tokens) {
    SampledText held;
    held.text = std::move(text);
    held.analysis.tokens = tokens;
    documents_.texts.push_back(std::move(held));
    documents_.originals = documents_.texts.size();
  }

  // ---- Measuring ----

  Status measure() {
    const Analyzer& analyzer = *job_.signer.view.analyzer;
    TWINSET_ASSIGN(const std::vector<std::uint32_t> labels, take_sample());
    if (planted()) {
      TWINSET_TRY(plant_copies(analyzer, options_.sample_seed, job_.context.threads, keep_going(),
                               documents_));
    }
    std::vector<std::span<const std::uint64_t>> tokens;
    for (const SampledText& each : documents_.texts) tokens.emplace_back(each.analysis.tokens);
    TWINSET_ASSIGN(const ShingleCollection shingles,
                   ShingleCollection::make(tokens, job_.signer.view.shingle_tokens,
                                           job_.context.memory_bytes));
    const std::vector<GivenView> views = documents_.views(analyzer);
    FoundPairsOptions options;
    options.verify = check_of_pairs();
    options.max_group = options_.max_group;
    options.threads = job_.context.threads;
    options.files = &files();
    options.keep_going = keep_going();
    TWINSET_ASSIGN(const FoundPairs found,
                   FoundPairs::make(spec_for(analyzer, options_.scheme), views, shingles, options));
    if (found.option() != "resemblance") {
      TWINSET_TRY(check_verify(options_, *job_.signer.scheme));
    }
    TWINSET_ASSIGN(const std::vector<ObservedPair> pairs, observe(labels, shingles, found));
    return choose_among(pairs, found);
  }

  /// Moves the sample to documents_; returns their labels.
  Result<std::vector<std::uint32_t>> take_sample() {
    made_.sampled = documents_.originals;
    std::vector<std::uint32_t> labels;
    if (!options_.pairs.empty()) return labels;
    std::map<std::string, std::uint32_t> numbers;
    Analysis analysis;
    for (SampledDocument& each : std::move(sample_).take()) {
      labels.push_back(
          numbers.try_emplace(each.place.label, static_cast<std::uint32_t>(numbers.size()))
              .first->second);
      job_.signer.view.analyzer->analyze(each.text, Offsets::drop, analysis);
      hold(std::move(each.text), analysis.tokens);
    }
    made_.sampled = documents_.originals;
    if (made_.sampled == 0) return usage_error(nothing_sampled());
    const std::uint64_t all = options_.labels.empty() ? made_.documents : labeled_;
    if (made_.sampled < all) {
      made_.warnings.push_back(fmt::format(
          "{} of {} were sampled, and those that share text together: of the pairs found "
          "in the sample more are right than of all; a {} of all of them has no such bias, "
          "nor have judged {}",
          format_count(made_.sampled), format_count(all, "document", "documents"), option("sample"),
          option("pairs")));
    }
    if (!options_.labels.empty())
      TWINSET_TRY(check_labels(options_, numbers.size(), made_.sampled));
    return labels;
  }

  std::string nothing_sampled() const {
    if (!options_.labels.empty() && labeled_ == 0) return no_label(options_);
    return fmt::format("nothing to calibrate on: all {} documents are over {} bytes long",
                       format_count(sample_.passed_over()),
                       DocumentSampleOptions().max_document_bytes);
  }

  Result<std::vector<ObservedPair>> observe(const std::vector<std::uint32_t>& labels,
                                            const ShingleCollection& shingles,
                                            const FoundPairs& found) {
    if (!options_.labels.empty()) {
      made_.truth = truth_of_labels(options_, made_.sampled, labeled_);
      return observe_labels(labels, found);
    }
    if (!options_.pairs.empty()) {
      made_.truth =
          fmt::format("{} of {}, as judged", format_count(judged_.pairs().size(), "pair", "pairs"),
                      options_.pairs);
      if (judged_.passed_over() > 0) {
        made_.warnings.push_back(format_count(judged_.passed_over(), "pair", "pairs") + " of " +
                                 options_.pairs +
                                 " judged neither same nor different, passed over");
      }
      return observe_judged(judged_, found);
    }
    made_.truth = fmt::format(
        "{} of {}: pairs are the same from an exact resemblance of {}; recall is of planted copies",
        format_count(made_.sampled), format_count(made_.documents, "document", "documents"),
        options_.resemblance.text());
    TWINSET_ASSIGN(std::vector<ObservedPair> pairs,
                   observe_planted(documents_, options_.resemblance, shingles, found));
    made_.planted = planted_recall(planted_copies(documents_, pairs), found.values().size());
    return pairs;
  }

  Status choose_among(const std::vector<ObservedPair>& pairs, const FoundPairs& found) {
    ChoiceOptions options;
    options.precision = options_.precision;
    options.seed = options_.sample_seed;
    options.by_length = found.option() == "distance";
    options.prefer = found.prefer();
    options.keep_going = keep_going();
    TWINSET_ASSIGN(Choices chosen, choose(pairs, documents_.tokens(), found.values(), options));
    made_.option = found.option();
    made_.values = found.values();
    made_.pairs = pairs.size();
    conclude_choice(options_, std::move(chosen), made_);
    const std::string& spec = found.spec_of(*made_.classes.back().chosen);
    double threshold = 1;
    if (made_.option == "resemblance") {
      TWINSET_ASSIGN(const Ratio resemblance, Ratio::parse(made_.chosen));
      threshold = resemblance.value();
    }
    if (made_.option == "scheme") made_.chosen = spec;
    TWINSET_ASSIGN(const auto scheme, make_scheme(spec, threshold, files()));
    TWINSET_ASSIGN(profile_, chosen_profile(job_, *scheme, check_of_pairs(), made_));
    return {};
  }

  void describe_run() {
    clock_.describe(made_);
    made_.verb = "calibrate";
    made_.command = options_.command;
    made_.version = version();
    made_.analyzer = job_.signer.view.analyzer->name();
    made_.analyzer_version = job_.signer.view.analyzer->version();
    const auto skipped = job_.collection->skipped();
    made_.skipped.assign(skipped.begin(), skipped.end());
    describe_troubles(troubles_, *job_.collection, made_);
    profile_.made = origin_json(made_, options_.inputs);
  }

  const CalibrateOptions& options_;
  const RunControl& control_;
  Job job_;
  StageClock clock_;
  InputTroubles troubles_;
  DocumentSample sample_;
  JudgedPairs judged_;
  std::uint64_t judged_bytes_ = 0;
  std::uint64_t labeled_ = 0;
  SampledDocuments documents_;
  Calibration made_;
  Profile profile_;
};

}  // namespace

Result<Calibration> calibrate(const CalibrateOptions& options, const RunControl& control) {
  TWINSET_TRY(check_options(options));
  const SchemeDeclaration* const scheme = declared_scheme(options.scheme);
  if (scheme != nullptr && scheme->tells == Tells::distance && options.pairs.empty()) {
    return calibrate_distance(options, control);
  }
  return Calibrator(options, control).run();
}

}  // namespace twinset

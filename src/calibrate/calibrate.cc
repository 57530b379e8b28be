// calibrate: samples the collection, finds the pairs that a run would find at each value, compares
// them with the truth, and chooses. This file's interface is calibrate().
//
// The collection is read once. With labels only labeled documents are sampled, with judged pairs
// only the judged ones; else any, and each sampled document gets three planted copies.
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

constexpr std::uint64_t usual_sample = 2000;
constexpr std::uint64_t usual_labeled = 10'000;
constexpr std::uint64_t most_sampled = 100'000;
constexpr std::uint64_t most_labeled_bytes = std::uint64_t{64} << 20;
/// Of originals; the copies have three times as much text.
constexpr std::uint64_t most_original_bytes = std::uint64_t{12} << 20;
constexpr std::uint64_t most_judged_bytes = std::uint64_t{256} << 20;
/// A group with more of the pairs makes halves that are not alike.
constexpr double large_group = 0.5;

VerbOptions calibrate_verb() {
  VerbOptions verb;
  verb.name = verb.identity = "calibrate";
  verb.works_in = WorksIn::own;
  verb.stores_nothing = true;
  return verb;
}

/// "100:2,3" of the classes' values.
std::string distance_by_length(const std::vector<CalibrationClass>& classes) {
  std::string out;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const std::string& value = classes[i].rows[*classes[i].chosen].value;
    if (i + 1 == classes.size()) return out + value;
    const CalibrationClass& next = classes[i + 1];
    if (next.rows[*next.chosen].value == value) continue;
    out += fmt::format("{}:{},", classes[i].tokens.below, value);
  }
  return out;
}

ComparisonOptions comparison_of(const CalibrateOptions& options) {
  ComparisonOptions comparison = analyzed_by(options.analyzer);
  comparison.scheme = options.scheme;
  comparison.max_group = options.max_group;
  return comparison;
}

class Calibrator {
 public:
  Calibrator(const CalibrateOptions& options, const RunControl& control)
      : options_(options),
        control_(control),
        sample_({.documents =
                     options.sample.value_or(options.labels.empty() ? usual_sample : usual_labeled),
                 .seed = options.sample_seed,
                 .max_bytes = options.labels.empty() ? most_original_bytes : most_labeled_bytes}) {}

  Result<Calibration> run() {
    TWINSET_TRY(check());
    TWINSET_TRY(prepare_job(collection_of(options_, comparison_of(options_)), calibrate_verb(),
                            control_, job_));
    TWINSET_TRY(check_prepared());
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
  bool planted() const { return options_.labels.empty() && options_.pairs.empty(); }
  Check check_of_pairs() const {
    return options_.verify.value_or(planted() ? Check::sketch : Check::exact);
  }
  KeepGoing keep_going() const {
    return [this] { return job_.context.check_cancelled(); };
  }

  /// Refuses bad options before anything is read.
  Status check() const {
    if (options_.scheme.empty()) {
      return usage_error("no " + option("scheme") +
                         " given: name the one whose threshold is to be chosen");
    }
    if (!options_.labels.empty() && !options_.pairs.empty()) {
      return usage_error(option("labels") + " and " + option("pairs") +
                         " both say which documents are the same; leave one out");
    }
    if (options_.precision.numerator() == 0) {
      return usage_error(option("precision", "0") +
                         " would accept every value; give a share such as 0.95");
    }
    if (options_.precision.numerator() == options_.precision.denominator()) {
      return usage_error(
          option("precision", "1") +
          " cannot be told from a sample, however many pairs are right; give a share below it, "
          "such as 0.99");
    }
    if (options_.resemblance.numerator() == 0) {
      return usage_error(option("resemblance", "0") +
                         " would make everything a copy of everything");
    }
    if (options_.sample == 0) return usage_error(option("sample") + " is at least 1");
    if (options_.sample > most_sampled) {
      return usage_error(fmt::format("{} is at most {}: every pair of it is compared",
                                     option("sample"), most_sampled));
    }
    if (planted() && options_.verify == Check::exact) {
      return usage_error(option("verify", "exact") +
                         " decides by the exact resemblance, which is also the truth without " +
                         option("labels") + " and " + option("pairs") +
                         ": give one of them, or leave " + option("verify") + " out");
    }
    return {};
  }

  Status check_prepared() const {
    if (planted() && job_.signer.view.analyzer->takes_features()) {
      return usage_error("copies with edited words are planted without " + option("labels") +
                         " and " + option("pairs") +
                         ", and lists of features have no words: give one of them");
    }
    return {};
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

  Status check_labels(std::size_t labels) const {
    const std::string field = "field '" + options_.labels + "' (" + option("labels") + ")";
    if (labels == 1) {
      return usage_error("all " + format_count(made_.sampled) +
                         " sampled documents have one value in " + field +
                         ", so no found pair could be wrong");
    }
    if (labels == made_.sampled) {
      return usage_error("no two of " + format_count(made_.sampled) +
                         " sampled documents have the same value in " + field +
                         ", so no found pair could be right");
    }
    return {};
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
    if (options_.verify.has_value() && found.option() != "resemblance") {
      return usage_error(option("verify") + " is for schemes that estimate resemblance; scheme " +
                         std::string(job_.signer.scheme->declaration().name) +
                         " tells more by itself. Leave it out");
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
    if (!options_.labels.empty()) TWINSET_TRY(check_labels(numbers.size()));
    return labels;
  }

  std::string nothing_sampled() const {
    if (!options_.labels.empty() && labeled_ == 0) {
      return "no record has a string or a number in its field '" + options_.labels + "' (" +
             option("labels") + ")";
    }
    return fmt::format("nothing to calibrate on: all {} documents are over {} bytes long",
                       format_count(sample_.passed_over()),
                       DocumentSampleOptions().max_document_bytes);
  }

  Result<std::vector<ObservedPair>> observe(const std::vector<std::uint32_t>& labels,
                                            const ShingleCollection& shingles,
                                            const FoundPairs& found) {
    if (!options_.labels.empty()) {
      made_.truth = fmt::format("documents with one value in '{}' are the same: {} of {}",
                                options_.labels, format_count(made_.sampled),
                                format_count(labeled_, "labeled document", "labeled documents"));
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
    made_.planted = planted_recall(documents_, pairs, found.values().size());
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
    made_.groups = chosen.groups;
    made_.largest_group = chosen.largest_group;
    made_.needed = chosen.needed;
    made_.precision = options_.precision.value();
    made_.classes = std::move(chosen.classes);
    const std::size_t value = *made_.classes.back().chosen;
    made_.chosen = options.by_length ? distance_by_length(made_.classes) : made_.values[value];
    warn();
    return set_profile(found, value);
  }

  void warn() {
    if (made_.largest_group > large_group) {
      made_.warnings.push_back(
          fmt::format("one group of documents that are the same has {:.0f} % of the documents, so "
                      "the halves are "
                      "not alike",
                      100 * made_.largest_group));
    }
    for (const CalibrationClass& of : made_.classes) {
      if (!of.chosen) continue;
      const Share& held = of.rows[*of.chosen].held_out.precision;
      const std::string at = token_range_text(of.tokens);
      if (!of.reached) {
        made_.warnings.push_back(fmt::format(
            "{}: no value reaches the precision by the lower end of its interval, so the strictest "
            "stands in",
            at));
      }
      if (held.known() && held.high < made_.precision) {
        made_.warnings.push_back(
            fmt::format("{}: on the half that did not choose, the precision is {:.3f} ({:.3f} to "
                        "{:.3f}), below {}",
                        at, held.value(), held.low, held.high, options_.precision.text()));
      }
    }
  }

  static std::string token_range_text(const TokenRange& range) {
    if (range.below == 0 && range.least == 0) return "all lengths";
    if (range.below == 0) return fmt::format("from {} tokens", range.least);
    return range.least == 0 ? fmt::format("below {} tokens", range.below)
                            : fmt::format("{} to {} tokens", range.least, range.below - 1);
  }

  Status set_profile(const FoundPairs& found, std::size_t value) {
    profile_.analyzer = job_.signer.view.analyzer->name();
    profile_.analyzer_version = job_.signer.view.analyzer->version();
    const std::string& spec = found.spec_of(value);
    double threshold = 1;
    if (made_.option == "distance") profile_.distance = made_.chosen;
    if (made_.option == "resemblance") {
      TWINSET_ASSIGN(profile_.resemblance, Ratio::parse(made_.chosen));
      profile_.check = check_of_pairs();
      threshold = profile_.resemblance->value();
    }
    if (made_.option == "scheme") made_.chosen = spec;
    TWINSET_ASSIGN(const auto scheme, make_scheme(spec, threshold, files()));
    profile_.scheme = made_.scheme = scheme->spec();
    profile_.fingerprint = made_.fingerprint =
        fingerprint_text(scheme_fingerprint(*scheme, job_.signer.view));
    profile_.checked = checked_json(made_.classes);
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
  return Calibrator(options, control).run();
}

}  // namespace twinset

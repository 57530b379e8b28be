// calibrate of judged pairs: reads the collection once, compares the pairs by the scheme at each
// value, and chooses. Other truths take the pairs of a join over the whole collection (join_run.h).
// This file's interface is calibrate().
#include "twinset/calibrate.h"

#include <fmt/core.h>

#include <memory>
#include <utility>
#include <vector>

#include "base/file_header.h"
#include "base/message.h"
#include "calibrate/calibration_fields.h"
#include "calibrate/choice.h"
#include "calibrate/conclusions.h"
#include "calibrate/found_pairs.h"
#include "calibrate/join_run.h"
#include "calibrate/judged_pairs.h"
#include "calibrate/observe.h"
#include "calibrate/sampled_documents.h"
#include "collection/file_collection.h"
#include "collection/input_troubles.h"
#include "collection/output_files.h"
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

constexpr std::uint64_t most_judged_bytes = std::uint64_t{256} << 20;

VerbOptions reading_verb() {
  VerbOptions verb = calibrate_verb();
  verb.stores_nothing = true;
  return verb;
}

class Calibrator {
 public:
  Calibrator(const CalibrateOptions& options, const RunControl& control)
      : options_(options), control_(control) {}

  Result<Calibration> run() {
    TWINSET_TRY(prepare_job(collection_of(options_, comparison_of(options_)), reading_verb(),
                            control_, job_));
    TWINSET_TRY(check_analyzer(options_, job_));
    TWINSET_ASSIGN(judged_, JudgedPairs::read(files(), options_.pairs));
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
  Check check_of_pairs() const { return options_.verify.value_or(Check::exact); }
  KeepGoing keep_going() const {
    return [this] { return job_.context.check_cancelled(); };
  }

  // ---- Reading ----

  Status read_inputs(const std::string& spool) {
    TWINSET_ASSIGN(
        job_.collection,
        FileCollection::find(files(), input_options(options_.inputs, options_.input, spool)));
    RecordView view(job_.signer.view);
    TWINSET_TRY(for_each_document(job_, job_.fields, troubles_,
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
    made_.sampled = documents_.originals;
    std::vector<std::span<const std::uint64_t>> tokens;
    for (const SampledText& each : documents_.texts) tokens.emplace_back(each.analysis.tokens);
    TWINSET_ASSIGN(const ShingleCollection shingles,
                   ShingleCollection::make(tokens, job_.signer.view.shingle_tokens,
                                           job_.context.memory_bytes));
    const std::vector<GivenView> views = documents_.views(analyzer);
    FoundPairsOptions options;
    options.verify = check_of_pairs();
    options.threads = job_.context.threads;
    options.files = &files();
    TWINSET_ASSIGN(const FoundPairs found,
                   FoundPairs::make(spec_for(analyzer, options_.scheme), views, shingles, options));
    if (found.option() != "resemblance") {
      TWINSET_TRY(check_verify(options_, *job_.signer.scheme));
    }
    made_.truth =
        fmt::format("{} of {}, as judged", format_count(judged_.pairs().size(), "pair", "pairs"),
                    options_.pairs);
    if (judged_.passed_over() > 0) {
      made_.warnings.push_back(format_count(judged_.passed_over(), "pair", "pairs") + " of " +
                               options_.pairs + " judged neither same nor different, passed over");
    }
    return choose_among(observe_judged(judged_, found), found);
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
    TWINSET_ASSIGN(profile_, chosen_profile(job_, found, check_of_pairs(), made_));
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
  JudgedPairs judged_;
  std::uint64_t judged_bytes_ = 0;
  SampledDocuments documents_;
  Calibration made_;
  Profile profile_;
};

}  // namespace

Result<Calibration> calibrate(const CalibrateOptions& options, const RunControl& control) {
  TWINSET_TRY(check_options(options));
  if (options.pairs.empty()) return calibrate_by_join(options, control);
  return Calibrator(options, control).run();
}

}  // namespace twinset

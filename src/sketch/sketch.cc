// Signatures of all documents as lines, in one pass for any number of schemes.
//
// This file's interface is sketch/sketch_run.h; the rest is private.
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/message.h"
#include "collection/output_files.h"
#include "io/field_json.h"
#include "io/json.h"
#include "run/collector.h"
#include "run/common_options.h"
#include "run/names.h"
#include "run/old_frequencies.h"
#include "run/prepare.h"
#include "run/quarantine.h"
#include "run/read_fates.h"
#include "run/run_verb.h"
#include "run/without_signature.h"
#include "scheme/scheme.h"
#include "scheme/spec.h"
#include "sites/run_templates.h"
#include "sites/site_templates.h"
#include "sketch/signature_line.h"
#include "sketch/signature_text.h"
#include "sketch/sketch_run.h"

namespace twinset {
namespace {

/// The documents whose features the summary shows.
constexpr std::size_t most_listed = 3;

/// A scheme, and its names in lines.
struct LineScheme {
  const Scheme* scheme = nullptr;
  std::string spec;
  std::string fingerprint;
};

struct LineRows final : Collector::Rows {
  void begin(const BatchPlace&) override {
    lines.clear();
    std::ranges::fill(without, WithoutSignature());
    for (SignatureBins& of : bins) of.clear();
    listed.clear();
  }
  void release_large() override {
    lines = {};
    sketch = {};
    listed = {};
  }

  std::string lines;
  std::vector<WithoutSignature> without;  ///< by scheme
  std::vector<SignatureBins> bins;        ///< likewise, for a report
  std::vector<ListedFeatures> listed;     ///< of the first documents
  Sketch sketch;                          ///< scratch
  FieldLine<SignatureLine> line;          ///< likewise
};

/// Writes the lines as documents are read.
class SketchLines final : public CollectorOf<LineRows> {
 public:
  using Write = std::function<Status(std::string_view lines)>;

  /// `bins` get the signatures by scheme; empty without a report. `features`: of each document.
  SketchLines(const Collection& collection, const std::vector<LineScheme>& schemes,
              std::uint64_t features, Write write, SketchSummary& summary,
              std::vector<SignatureBins>& bins)
      : collection_(collection),
        schemes_(schemes),
        features_(features),
        write_(std::move(write)),
        summary_(summary),
        bins_(bins) {
    summary_.without.resize(schemes.size());
  }
  Status open(const StateFile*) override { return {}; }
  Status checkpoint(StateFile&) override { return {}; }

 private:
  Status take(const ReadRecord& record, LineRows& rows) const override {
    if (!record.is_document()) return {};
    const Source& source = collection_.sources()[record.id.source()];
    const std::string& file = source.shown;
    rows.without.resize(schemes_.size());
    // Never read of bins_ but their number and kind: other threads add to them.
    if (rows.bins.size() != bins_.size()) {
      rows.bins.clear();
      for (const LineScheme& line : schemes_) {
        rows.bins.emplace_back(line.scheme->declaration().tells);
      }
    }
    std::string id(record.record.id);
    if (id.empty()) append_json_string(id, made_id(source, record.id.record()));
    for (std::size_t i = 0; i < schemes_.size(); ++i) {
      const LineScheme& line = schemes_[i];
      line.scheme->sketch(record.view, rows.sketch);
      if (rows.sketch.empty) ++count_of(rows.sketch.reason, rows.without[i]);
      if (!rows.bins.empty()) rows.bins[i].add(rows.sketch.stored);
      std::string signature;
      append_signature_json(signature, line.scheme->declaration().tells, rows.sketch.stored);
      *rows.line = {{id, file, record.id.record(), 0},
                    line.spec,
                    line.fingerprint,
                    signature,
                    std::nullopt,
                    {}};
      if (features_ != 0) list(id, line, line.scheme->features(record.view, features_), rows);
      rows.line.append(rows.lines);
    }
    return {};
  }

  void list(const std::string& id, const LineScheme& line, DocumentFeatures features,
            LineRows& rows) const {
    if (rows.listed.size() < most_listed * schemes_.size()) {
      rows.listed.push_back({features, id, line.spec});
    }
    rows.line->features = features.features;
    rows.line->heaviest = std::move(features.heaviest);
  }

  Status put(LineRows& rows) override {
    for (ListedFeatures& listed : rows.listed) {
      if (summary_.features.size() == most_listed * schemes_.size()) break;
      summary_.features.push_back(std::move(listed));
    }
    for (std::size_t i = 0; i < rows.without.size(); ++i)
      add_counts(rows.without[i], summary_.without[i]);
    for (std::size_t i = 0; i < rows.bins.size(); ++i) bins_[i].add(rows.bins[i]);
    return rows.lines.empty() ? Status() : write_(rows.lines);
  }

  const Collection& collection_;
  const std::vector<LineScheme>& schemes_;
  std::uint64_t features_;
  Write write_;
  SketchSummary& summary_;
  std::vector<SignatureBins>& bins_;
};

SketchOptions filled(SketchOptions options) {
  if (options.scheme.empty()) options.scheme = {"simhash"};
  options.resources.checkpoint = UINT64_MAX;
  return options;
}

/// The collection of the run, which knows the first of the schemes.
CollectionOptions read_by(const SketchOptions& options) {
  ComparisonOptions comparison;
  static_cast<SigningOptions&>(comparison) = options;
  comparison.scheme = options.scheme.front();
  return collection_of(options, comparison, options.min_tokens, options.max_bad);
}

VerbOptions sketch_verb(const SketchOptions& options) {
  VerbOptions verb;
  verb.reads_again = options.templates != Templates::keep;
  verb.as_it_comes = !verb.reads_again;
  verb.name = verb.identity = "sketch";
  verb.works_in = WorksIn::own;
  verb.stores_nothing = true;
  verb.report = options.report;
  verb.new_files = {{"output", options.output}};
  return verb;
}

class SketchRun final : public VerbSteps {
 public:
  SketchRun(const SketchOptions& options, const RunControl& control,
            DrawReport<SketchFindings> draw)
      : options_(filled(options)),
        draw_(draw),
        kept_(control.kept),
        control_{control.cancel, control.progress, control.files, nullptr},
        run_(read_by(options_), sketch_verb(options_), control_) {}

  Result<SketchSummary> run() {
    if (options_.output.empty() && kept_ == nullptr) {
      return usage_error("no output given: " + option("output", "FILE") +
                         ", or send the lines on: > signatures.jsonl");
    }
    return run_verb(run_, summary_, *this);
  }

 private:
  Status check() override { return make_schemes(); }

  Status work() override {
    TWINSET_TRY(use_site_templates(run_, read_by(options_), control_));
    name_schemes();
    if (!options_.output.empty()) {
      TWINSET_ASSIGN(file_, WholeFile::create(files(), "output", options_.output));
    }
    Quarantine bad(files(), "", *run_.job.collection);
    SketchLines lines(
        *run_.job.collection, schemes_, options_.features,
        [&](std::string_view text) { return file_ ? file_->write(text) : kept_->write(text); },
        summary_, bins_);
    TWINSET_TRY(run_.pass("read", {&bad, &lines}));
    count_records(run_.state, summary_);
    summary_.bad_records = bad.first();
    return {};
  }

  Status conclude() override {
    add_template_warnings(run_.job, summary_.warnings);
    // The run knows the first of them, and has warned.
    for (std::size_t i = 1; i < schemes_.size(); ++i) {
      std::string old =
          old_frequencies_warning(*schemes_[i].scheme, options_.df_documents, summary_.documents);
      const bool is_new = std::ranges::find(summary_.warnings, old) == summary_.warnings.end();
      if (!old.empty() && is_new) summary_.warnings.push_back(std::move(old));
    }
    return {};
  }

  Result<ReportFiles> report() override { return draw_({options_, summary_, bins_}); }

  Status keep() override { return file_ == nullptr ? Status() : file_->publish(); }

  void end(const Status&) override { file_.reset(); }

  FileSystem& files() const { return *run_.job.context.files; }

  Status make_schemes() {
    for (const std::string& spec : options_.scheme) {
      LineScheme line;
      TWINSET_ASSIGN(line.scheme, scheme_of(spec));
      TWINSET_TRY(add_record_fields(*line.scheme, run_.job.fields));
      // Features are listed by the words that stand in the text.
      run_.job.signer.view.reads_places |=
          line.scheme->facts().reads_places || options_.features != 0;
      if (options_.features != 0) TWINSET_TRY(check_weighs_features(*line.scheme));
      line.spec = line.scheme->spec();
      summary_.schemes.push_back(line.spec);
      schemes_.push_back(std::move(line));
    }
    if (options_.report.empty()) return {};
    bool any = false;
    for (const LineScheme& line : schemes_) {
      const Tells tells = line.scheme->declaration().tells;
      any = any || SignatureBins::has_any(tells);
      bins_.emplace_back(tells);
    }
    if (any) return {};
    return usage_error(option("report") + " counts hash values, and the sketches of " +
                       schemes_.front().spec +
                       " are samples; use a scheme such as simhash or "
                       "imatch");
  }

  /// The first is the run's own, which need not be made twice: a large lexicon takes time.
  Result<const Scheme*> scheme_of(const std::string& spec) {
    if (schemes_.empty()) return run_.job.signer.scheme.get();
    const std::string seeded =
        seeded_spec(spec_for(*run_.job.signer.view.analyzer, spec), options_.seed);
    // The files of a run over columns are in memory, and those that a scheme names are not.
    TWINSET_ASSIGN(auto made, make_scheme(seeded, 0.8, files_of(control_)));
    made_.push_back(std::move(made));
    return made_.back().get();
  }

  static Status check_weighs_features(const Scheme& scheme) {
    if (scheme.declaration().weighs_features) return {};
    std::string can;
    for (const SchemeDeclaration& known : known_schemes()) {
      if (!known.weighs_features) continue;
      can += (can.empty() ? "" : ", ") + std::string(known.name);
    }
    return usage_error("scheme " + std::string(scheme.declaration().name) +
                       " gives features no weight that " + option("features") +
                       " could list; schemes that do: " + can);
  }

  /// When it is known which templates the signatures lack.
  void name_schemes() {
    for (LineScheme& line : schemes_) {
      line.fingerprint = fingerprint_text(scheme_fingerprint(*line.scheme, run_.job.signer.view));
    }
  }

  SketchOptions options_;
  const DrawReport<SketchFindings> draw_;
  RecordSink* kept_;
  RunControl control_;
  CollectionRun run_;
  std::vector<std::unique_ptr<Scheme>> made_;  ///< all but the run's own
  std::vector<LineScheme> schemes_;
  std::vector<SignatureBins> bins_;  ///< by scheme, for a report
  std::unique_ptr<WholeFile> file_;
  SketchSummary summary_;
};

}  // namespace

Result<SketchSummary> run_sketch(const SketchOptions& options, const RunControl& control,
                                 DrawReport<SketchFindings> draw) {
  return SketchRun(options, control, draw).run();
}

}  // namespace twinset

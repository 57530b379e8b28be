// Signatures of all documents as lines, in one pass for any number of schemes.
//
// This file's interface is sketch(), declared in twinset/sketch.h; the rest is private.
#include "twinset/sketch.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/message.h"
#include "collection/output_files.h"
#include "io/json.h"
#include "run/collection_run.h"
#include "run/collector.h"
#include "run/names.h"
#include "run/prepare.h"
#include "run/without_signature.h"
#include "scheme/scheme.h"
#include "scheme/spec.h"
#include "sites/site_templates.h"
#include "sketch/signature_report.h"
#include "sketch/signature_text.h"

namespace twinset {
namespace {

constexpr std::size_t listed_bad_records = 5;

/// A scheme, and its names in lines.
struct LineScheme {
  std::unique_ptr<Scheme> scheme;
  std::string spec;
  std::string fingerprint;
};

struct LineRows final : Collector::Rows {
  void begin(const BatchPlace& place) override {
    source = place.source;
    lines.clear();
    bad.clear();
    documents = 0;
    std::ranges::fill(without, WithoutSignature());
    for (SignatureBins& of : bins) of.clear();
  }
  void release_large() override { *this = LineRows(); }

  std::uint64_t source = 0;
  std::string lines;
  std::vector<std::string> bad;
  std::uint64_t documents = 0;
  std::vector<WithoutSignature> without;  ///< by scheme
  std::vector<SignatureBins> bins;        ///< likewise, for a report
  Sketch sketch;                          ///< scratch
};

/// Writes the lines as documents are read.
class SketchLines final : public CollectorOf<LineRows> {
 public:
  using Write = std::function<Status(std::string_view lines)>;

  /// `bins` get the signatures by scheme; empty without a report.
  SketchLines(const Collection& collection, const std::vector<LineScheme>& schemes, Write write,
              SketchSummary& summary, std::vector<SignatureBins>& bins)
      : collection_(collection),
        schemes_(schemes),
        write_(std::move(write)),
        summary_(summary),
        bins_(bins) {
    summary_.without.resize(schemes.size());
  }
  Status open(const StateFile*) override { return {}; }
  Status checkpoint(StateFile&) override { return {}; }

 private:
  Status take(const ReadRecord& record, LineRows& rows) const override {
    const std::string& file = collection_.sources()[record.id.source()].shown;
    const std::string number = std::to_string(record.id.record());
    if (record.fate == Fate::bad && rows.bad.size() < listed_bad_records) {
      rows.bad.push_back(file + ":" + number + ": " + std::string(reason_name(record.record.bad)));
    }
    if (!record.is_document()) return {};
    ++rows.documents;
    rows.without.resize(schemes_.size());
    // Never read of bins_ but their number and kind: other threads add to them.
    if (rows.bins.size() != bins_.size()) {
      rows.bins.clear();
      for (const LineScheme& line : schemes_) {
        rows.bins.emplace_back(line.scheme->declaration().tells);
      }
    }
    std::string id(record.record.id);
    if (id.empty()) append_json_string(id, file + ":" + number);
    for (std::size_t i = 0; i < schemes_.size(); ++i) {
      const LineScheme& line = schemes_[i];
      line.scheme->sketch(record.view, rows.sketch);
      if (rows.sketch.empty) ++count_of(rows.sketch.reason, rows.without[i]);
      if (!rows.bins.empty()) rows.bins[i].add(rows.sketch.stored);
      std::string signature;
      append_signature_json(signature, line.scheme->declaration().tells, rows.sketch.stored);
      JsonObject object(rows.lines);
      object.raw("id", id)
          .string("file", file)
          .number("record", record.id.record())
          .string("scheme", line.spec)
          .string("fingerprint", line.fingerprint);
      object.raw("signature", signature);
      object.end();
      rows.lines += '\n';
    }
    return {};
  }

  Status put(LineRows& rows) override {
    summary_.documents += rows.documents;
    for (std::size_t i = 0; i < rows.without.size(); ++i)
      add_counts(rows.without[i], summary_.without[i]);
    for (std::size_t i = 0; i < rows.bins.size(); ++i) bins_[i].add(rows.bins[i]);
    for (std::string& bad : rows.bad) {
      if (summary_.bad_records.size() < listed_bad_records) {
        summary_.bad_records.push_back(std::move(bad));
      }
    }
    return rows.lines.empty() ? Status() : write_(rows.lines);
  }

  const Collection& collection_;
  const std::vector<LineScheme>& schemes_;
  Write write_;
  SketchSummary& summary_;
  std::vector<SignatureBins>& bins_;
};

/// The options of the run, which knows one scheme.
SketchOptions filled(SketchOptions options) {
  if (options.schemes.empty()) options.schemes = {"simhash"};
  options.scheme = options.schemes.front();
  options.resources.checkpoint_bytes = UINT64_MAX;
  return options;
}

VerbOptions sketch_verb(const SketchOptions& options) {
  VerbOptions verb;
  verb.reads_again = options.templates != Templates::keep;
  verb.name = verb.identity = "sketch";
  verb.dry_run = verb.stores_nothing = true;
  return verb;
}

class SketchRun {
 public:
  SketchRun(const SketchOptions& options, const RunControl& control)
      : options_(filled(options)),
        kept_(control.kept),
        control_{control.cancel, control.progress, control.files, nullptr},
        run_(options_, sketch_verb(options_), control_) {}

  Result<SketchSummary> run() {
    Status done = steps();
    const Status removed = run_.abandon();
    TWINSET_TRY(done);
    TWINSET_TRY(removed);
    return std::move(summary_);
  }

 private:
  Status steps() {
    if (options_.output.empty() && kept_ == nullptr) {
      return usage_error("no output given: " + option("output", "FILE") +
                         ", or send the lines on: > signatures.jsonl");
    }
    FileSystem& files = control_.files != nullptr ? *control_.files : disk();
    if (!options_.report.empty()) {
      TWINSET_TRY(check_new_file(files, "report", options_.report));
      TWINSET_TRY(check_new_file(files, "report", facts_path(options_.report)));
      if (options_.output == options_.report || options_.output == facts_path(options_.report)) {
        return usage_error(option("report") + " makes " + options_.report + " and " +
                           facts_path(options_.report) + "; choose another name than that of " +
                           option("output"));
      }
    }
    TWINSET_TRY(run_.prepare());
    TWINSET_TRY(make_schemes());
    TWINSET_TRY(run_.open());
    TWINSET_TRY(use_site_templates(run_, options_, control_));
    name_schemes();
    std::unique_ptr<WholeFile> file;
    if (!options_.output.empty()) {
      TWINSET_ASSIGN(file, WholeFile::create(*run_.job.context.files, "output", options_.output));
    }
    SketchLines lines(
        *run_.job.collection, schemes_,
        [&](std::string_view text) { return file ? file->write(text) : kept_->write(text); },
        summary_, bins_);
    TWINSET_TRY(run_.pass("read", {&lines}));
    if (file != nullptr) TWINSET_TRY(file->publish());
    summary_.read = run_.state.records;
    summary_.quarantined = run_.state.bad;
    run_.describe(summary_);
    if (const auto& table = run_.job.signer.view.templates) {
      for (std::string& said : template_warnings(table->learned(), options_.url_field)) {
        summary_.warnings.push_back(std::move(said));
      }
    }
    if (options_.report.empty()) return {};
    TWINSET_ASSIGN(const ReportFiles report, signature_report(options_, summary_, bins_));
    return write_report(files, report, options_.report);
  }

  Status make_schemes() {
    for (const std::string& spec : options_.schemes) {
      LineScheme line;
      TWINSET_ASSIGN(line.scheme, make_scheme(spec_for(*run_.job.signer.view.analyzer, spec), 0.8,
                                              *run_.job.context.files));
      TWINSET_TRY(add_record_fields(*line.scheme, run_.job.fields));
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

  /// When it is known which templates the signatures lack.
  void name_schemes() {
    for (LineScheme& line : schemes_) {
      line.fingerprint = fingerprint_text(scheme_fingerprint(*line.scheme, run_.job.signer.view));
    }
  }

  SketchOptions options_;
  RecordSink* kept_;
  RunControl control_;
  CollectionRun run_;
  std::vector<LineScheme> schemes_;
  std::vector<SignatureBins> bins_;  ///< by scheme, for a report
  SketchSummary summary_;
};

}  // namespace

Result<SketchSummary> sketch(const SketchOptions& options, const RunControl& control) {
  return SketchRun(options, control).run();
}

}  // namespace twinset

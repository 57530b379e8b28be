// Messages of inputs held against prototypes, in input order; and the same for programs, a message
// at a time.
//
// This file's interface is twinset/filter.h; the rest is private.
#include "twinset/filter.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "base/message.h"
#include "collection/output_files.h"
#include "filter/filter_lines.h"
#include "filter/filter_server.h"
#include "filter/prototypes.h"
#include "io/field_json.h"
#include "io/json.h"
#include "run/collector.h"
#include "run/common_options.h"
#include "run/output_paths.h"
#include "run/prepare.h"
#include "run/quarantine.h"
#include "run/read_fates.h"
#include "run/run_verb.h"

namespace twinset {
namespace {

struct VerdictRows final : Collector::Rows {
  void begin(const BatchPlace&) override { emitted.clear(); }
  void release_large() override {
    emitted = {};
    checker.reset();
  }

  std::string emitted;
  std::unique_ptr<PrototypeChecker> checker;
};

class VerdictCollector final : public CollectorOf<VerdictRows> {
 public:
  using Write = std::function<Status(std::string_view bytes)>;
  VerdictCollector(Prototypes& prototypes, EmitMessages emit, const Collection& collection,
                   Write write)
      : prototypes_(prototypes), emit_(emit), collection_(collection), write_(std::move(write)) {}
  Status open(const StateFile*) override { return {}; }
  Status checkpoint(StateFile&) override { return {}; }

 private:
  Status take(const ReadRecord& read, VerdictRows& rows) const override {
    const bool is_bad = read.fate == Fate::bad;
    if (!read.is_document() && !is_bad) {
      // What is between records stays.
      if (emit_ != EmitMessages::verdicts && read.record.carried) emit(read.record.raw, rows);
      return {};
    }
    FilterAnswer answer{FilterVerdict::unknown, WhyUnknown::unreadable, {}};
    if (!is_bad) {
      if (rows.checker == nullptr) rows.checker = std::make_unique<PrototypeChecker>(prototypes_);
      TWINSET_ASSIGN(answer, rows.checker->check(read.view));
    }
    if (emit_ == EmitMessages::verdicts) {
      const Source& source = collection_.sources()[read.id.source()];
      std::string id(read.record.id);
      if (id.empty() || id == "null") {
        id.clear();
        append_json_string(id, made_id(source, read.id.record()));
      }
      VerdictLine line{{id, source.shown, read.id.record(), 0}, std::move(answer)};
      append_fields(rows.emitted, fields_of(line));
      rows.emitted += '\n';
      return {};
    }
    const bool is_match = answer.verdict == FilterVerdict::match;
    if (is_match != (emit_ == EmitMessages::match)) return {};
    // Of a record that is too long only the beginning is held, which is none.
    if (read.record.raw.size() == read.record.length) emit(read.record.raw, rows);
    return {};
  }

  /// A record without a line end gets one if another follows.
  static void emit(std::string_view raw, VerdictRows& rows) {
    if (!rows.emitted.empty() && !rows.emitted.ends_with('\n')) rows.emitted += '\n';
    rows.emitted += raw;
  }

  Status put(VerdictRows& rows) override {
    if (rows.emitted.empty()) return {};
    if (wants_end_) TWINSET_TRY(write_("\n"));
    wants_end_ = !rows.emitted.ends_with('\n');
    return write_(rows.emitted);
  }

  Prototypes& prototypes_;
  const EmitMessages emit_;
  const Collection& collection_;
  const Write write_;
  bool wants_end_ = false;  ///< what was written last has no line end
};

VerbOptions filter_verb(const FilterOptions& options) {
  VerbOptions verb;
  verb.name = verb.identity = "filter";
  verb.works_in = WorksIn::own;
  verb.stores_nothing = true;
  verb.new_files = {{"output", options.output}};
  return verb;
}

bool has_messages(const FilterOptions& options) {
  return !options.inputs.empty() ||
         std::ranges::any_of(options.columns,
                             [](const TextColumn& each) { return !each.reference; });
}

CollectionOptions read_by(FilterOptions options, const IndexSettings& settings) {
  std::erase_if(options.columns, &TextColumn::reference);
  options.resources.checkpoint = UINT64_MAX;
  ComparisonOptions comparison = analyzed_by(settings.analyzer);
  comparison.scheme = settings.scheme.front();
  return collection_of(options, comparison, 0, options.max_bad);
}

class FilterRun final : public VerbSteps {
 public:
  FilterRun(const FilterOptions& options, Prototypes& prototypes, const RunControl& control)
      : options_(options),
        prototypes_(prototypes),
        signer_(prototypes.snapshot()),
        kept_(control.kept),
        files_(files_of(control)),
        run_(read_by(options, signer_->signer().settings()), filter_verb(options),
             {control.cancel, control.progress, control.files, nullptr}) {}

  Result<FilterSummary> run() { return run_verb(run_, summary_, *this); }

 private:
  Status check() override {
    for (const IndexScheme& of : signer_->signer().schemes()) {
      TWINSET_TRY(add_record_fields(*of.scheme, run_.job.fields));
    }
    return {};
  }

  /// Messages are emitted one after another.
  Status check_emitted() const {
    if (options_.emit == EmitMessages::verdicts) return {};
    for (const Source& source : run_.job.collection->sources()) {
      const std::string_view what = no_stream(source);
      if (what.empty()) continue;
      return usage_error(source.shown + " is " + std::string(what) + " (" +
                         std::string(source.format) +
                         "), some records of which make no file; leave out " + option("emit") +
                         ": the verdicts name them");
    }
    return {};
  }

  Status work() override {
    TWINSET_TRY(check_emitted());
    if (!options_.output.empty()) {
      TWINSET_ASSIGN(file_, WholeFile::create(files_, "output", options_.output));
    }
    Quarantine bad(*run_.job.context.files, "", *run_.job.collection);
    VerdictCollector verdicts(
        prototypes_, options_.emit, *run_.job.collection,
        [&](std::string_view bytes) { return file_ ? file_->write(bytes) : kept_->write(bytes); });
    TWINSET_TRY(run_.pass("read", {&bad, &verdicts}));
    count_records(run_.state, summary_);
    summary_.bad_records = bad.first();
    return {};
  }

  Status keep() override { return file_ == nullptr ? Status() : file_->publish(); }
  void end(const Status&) override { file_.reset(); }

  const FilterOptions& options_;
  Prototypes& prototypes_;
  std::shared_ptr<const IndexSnapshot> signer_;  ///< whose signer is asked
  RecordSink* kept_;
  FileSystem& files_;
  CollectionRun run_;
  std::unique_ptr<WholeFile> file_;
  FilterSummary summary_;
};

Status check_options(const FilterOptions& options, const RunControl& control) {
  const bool reads = has_messages(options);
  if (reads == !options.listen.empty()) {
    return usage_error("give messages to check, or " + option("listen", "SOCKET") +
                       (reads ? ", not both" : ""));
  }
  if (!reads && (!options.output.empty() || options.emit != EmitMessages::verdicts)) {
    return usage_error("a socket answers its clients: leave out " + option("output") + " and " +
                       option("emit"));
  }
  if (reads && options.set.empty() && !has_prototypes(options)) {
    return usage_error("there is nothing to hold messages against: give " +
                       option("prototypes", "IN") + " or " + option("set", "DIR"));
  }
  if (reads && options.output.empty() && control.kept == nullptr) {
    return usage_error("no output given: " + option("output", "FILE") +
                       ", or send the lines on: > verdicts.jsonl");
  }
  return {};
}

/// What a summary tells of the prototypes.
Status finish(Prototypes& prototypes, FilterSummary& summary) {
  const IndexSummary& first = prototypes.first();
  summary.prototypes_added = first.added - std::min(first.added, prototypes.too_short());
  if (first.quarantined > 0) {
    summary.warnings.push_back(
        "prototypes that could not be read: " + std::to_string(first.quarantined) + ", such as " +
        (first.bad_records.empty() ? "" : first.bad_records.front()));
  }
  if (prototypes.too_short() > 0) {
    summary.warnings.push_back("prototypes of fewer tokens than " + option("min_tokens") +
                               " were left out: " + std::to_string(prototypes.too_short()));
  }
  if (!prototypes.warning().empty()) summary.warnings.push_back(prototypes.warning());
  TWINSET_ASSIGN(summary.stats, prototypes.stats(told_prototypes));
  return prototypes.keep_counts();
}

}  // namespace

struct Filter::Parts {
  FilterOptions options;
  std::unique_ptr<Prototypes> prototypes;
  /// Checkers that nobody uses now.
  std::mutex mutex;
  std::vector<std::unique_ptr<PrototypeChecker>> idle;
};

Filter::Filter(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Filter::Filter(Filter&&) noexcept = default;
Filter& Filter::operator=(Filter&&) noexcept = default;
Filter::~Filter() = default;

Result<Filter> Filter::open(const FilterOptions& options, const RunControl& control) {
  auto parts = std::make_unique<Parts>();
  parts->options = options;
  TWINSET_ASSIGN(parts->prototypes, Prototypes::open(parts->options, control, system_clocks()));
  return Filter(std::move(parts));
}

Result<FilterAnswer> Filter::check(std::string_view text, bool html) const {
  TWINSET_TRY(check_text_bytes(text));
  std::unique_ptr<PrototypeChecker> checker;
  {
    const std::lock_guard lock(parts_->mutex);
    if (!parts_->idle.empty()) {
      checker = std::move(parts_->idle.back());
      parts_->idle.pop_back();
    }
  }
  if (checker == nullptr) checker = std::make_unique<PrototypeChecker>(*parts_->prototypes);
  Record record;
  record.text = text;
  record.markup = html ? Markup::html : Markup::none;
  Result<FilterAnswer> answer = checker->check(record);
  const std::lock_guard lock(parts_->mutex);
  parts_->idle.push_back(std::move(checker));
  return answer;
}

Status Filter::add(std::string_view id, std::string_view text, bool html) const {
  TWINSET_TRY(check_text_bytes(text));
  PrototypeChange change{
      .id = {}, .text = std::string(text), .markup = html ? Markup::html : Markup::none};
  append_json_string(change.id, id);
  TWINSET_TRY(parts_->prototypes->change({&change, 1}));
  if (!change.refused.empty()) return usage_error(change.refused);
  return parts_->prototypes->keep_counts();
}

Result<bool> Filter::remove(std::string_view id) const {
  PrototypeChange change{.removes = true, .id = {}, .text = {}};
  append_json_string(change.id, id);
  TWINSET_TRY(parts_->prototypes->change({&change, 1}));
  TWINSET_TRY(parts_->prototypes->keep_counts());
  return change.was_there;
}

Result<std::uint64_t> Filter::expire() const { return parts_->prototypes->expire(); }

Result<FilterStats> Filter::stats(std::uint64_t top) const {
  return parts_->prototypes->stats(top);
}

Result<FilterSummary> filter(const FilterOptions& options, const RunControl& control) {
  TWINSET_TRY(check_options(options, control));
  TWINSET_ASSIGN(const auto prototypes, Prototypes::open(options, control, system_clocks()));
  FilterSummary summary;
  if (options.listen.empty()) {
    TWINSET_ASSIGN(summary, FilterRun(options, *prototypes, control).run());
  } else {
    summary.verb = "filter";
    TWINSET_TRY(serve_filter(options, *prototypes, control, summary));
  }
  TWINSET_TRY(finish(*prototypes, summary));
  return summary;
}

}  // namespace twinset

// Discovery: what a collection has again and again, or what is known, becomes a file of labels.
//
// Two readings: the first counts, the second takes the whole hashes and the first words of what
// became a label. This file has the order of the steps; its interface is discover(), declared in
// twinset/reuse.h.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/file_header.h"
#include "base/message.h"
#include "collection/output_files.h"
#include "discover/discover_report.h"
#include "discover/found_labels.h"
#include "discover/frequency_plot.h"
#include "discover/label_texts.h"
#include "discover/seen_objects.h"
#include "labels/label_file.h"
#include "report/numbers.h"
#include "reuse/reuse_rules.h"
#include "run/collection_run.h"
#include "run/prepare.h"
#include "twinset/reuse.h"

namespace twinset {
namespace {

constexpr std::size_t listed_bad_records = 5;

struct BadRecordRows final : Collector::Rows {
  void begin(const BatchPlace&) override { names.clear(); }
  void release_large() override {}
  std::vector<std::string> names;
};

/// Names the first bad records.
class BadRecords final : public CollectorOf<BadRecordRows> {
 public:
  BadRecords(const Collection& collection, std::vector<std::string>& names)
      : collection_(collection), names_(names) {}
  Status open(const StateFile*) override { return {}; }
  Status checkpoint(StateFile&) override { return {}; }

 private:
  Status take(const ReadRecord& record, BadRecordRows& rows) const override {
    if (record.fate != Fate::bad || rows.names.size() >= listed_bad_records) return {};
    rows.names.push_back(collection_.sources()[record.id.source()].shown + ":" +
                         std::to_string(record.id.record()) + ": " +
                         std::string(reason_name(record.record.bad)));
    return {};
  }
  Status put(BadRecordRows& rows) override {
    for (std::string& name : rows.names) {
      if (names_.size() < listed_bad_records) names_.push_back(std::move(name));
    }
    return {};
  }

  const Collection& collection_;
  std::vector<std::string>& names_;
};

/// Known content alone is read as the input, all of whose objects are labels.
DiscoverOptions filled(DiscoverOptions options) {
  options.resources.checkpoint_bytes = UINT64_MAX;
  if (options.resources.tmp.empty()) options.resources.tmp = parent_of(options.output);
  if (options.inputs.empty()) {
    options.inputs.swap(options.from);
    options.over_files = options.over_chunks = 0;
    options.stop_in_site = options.stop_over_sites = 0;
  }
  return options;
}

VerbOptions discover_verb(const DiscoverOptions& options) {
  VerbOptions verb;
  verb.name = verb.identity = "discover";
  verb.dry_run = true;
  verb.references = options.from;
  verb.reads_again = true;
  verb.needs_tokens = false;
  verb.signs = false;
  if (!options.pages.url_field.empty()) verb.fields = {options.pages.url_field};
  return verb;
}

/// The files to make must be new, and apart.
Status check_outputs(FileSystem& files, const DiscoverOptions& options) {
  if (options.output.empty()) return usage_error("no output given: " + option("output", "FILE"));
  std::vector<std::pair<std::string, std::string>> made{{"output", options.output}};
  if (!options.plot.empty()) made.emplace_back("plot", options.plot);
  if (!options.report.empty()) {
    made.emplace_back("report", options.report);
    made.emplace_back("report", facts_path(options.report));
  }
  for (auto one = made.begin(); one != made.end(); ++one) {
    TWINSET_TRY(check_new_file(files, one->first, one->second));
    TWINSET_TRY(check_writable(files, one->second));
    for (auto other = made.begin(); other != one; ++other) {
      if (one->second != other->second) continue;
      return usage_error(option(other->first) + " and " + option(one->first) + " would both make " +
                         one->second + "; choose another name");
    }
  }
  return {};
}

/// More seen first, then by hash.
bool is_more_frequent(const DiscoveredLabel& a, const DiscoveredLabel& b) {
  if (a.count != b.count) return a.count > b.count;
  return a.hash != b.hash ? a.hash < b.hash : a.is_file < b.is_file;
}

class DiscoverRun {
 public:
  DiscoverRun(const DiscoverOptions& options, const RunControl& control)
      : options_(filled(options)),
        control_(control),
        run_(options_, discover_verb(options_), control) {}

  Result<DiscoverSummary> run() {
    FileSystem& files = control_.files != nullptr ? *control_.files : disk();
    if (options_.inputs.empty()) {
      return usage_error("no input given: files to read, or " + option("from", "IN"));
    }
    TWINSET_TRY(check_outputs(files, options_));
    TWINSET_TRY(check_page_settings(options_.pages));
    TWINSET_ASSIGN(rule_.chunks, chunk_rules(options_.chunks));
    Status done = steps();
    drop();
    const Status removed = run_.abandon();
    TWINSET_TRY(done);
    TWINSET_TRY(removed);
    return std::move(summary_);
  }

 private:
  Status steps() {
    TWINSET_TRY(run_.prepare());
    TWINSET_TRY(run_.open());
    rule_.url_field = options_.pages.url_field;
    rule_.repeats = static_cast<std::uint32_t>(options_.pages.repeats);
    if (!options_.stop.empty()) {
      TWINSET_ASSIGN(LabelFile stop,
                     open_stop_chunks(*job().context.files, options_.stop, rule_.chunks));
      stop_ = std::make_unique<LabelFile>(std::move(stop));
      rule_.stop = stop_.get();
    }
    TWINSET_TRY(read());
    TWINSET_TRY(find());
    TWINSET_TRY(read_texts());
    return write();
  }

  const Job& job() const { return run_.job; }

  Status read() {
    Job& job = run_.job;
    job.context.memory_bytes = job.memory.rows;
    seen_ = std::make_unique<SeenObjects>(job, rule_, job.memory.rows / 8 * 5);
    bad_ = std::make_unique<BadRecords>(*job.collection, summary_.bad_records);
    TWINSET_TRY(run_.pass("read", {bad_.get(), seen_.get()}));
    if (seen_->pages() == 0) return no_page();
    TWINSET_TRY(
        run_.check_memory(DocumentTable::bytes_needed(seen_->lines(), false) + 4 * seen_->lines()));
    documents_ = std::make_unique<DocumentTable>(run_.state.lines, job.reference_sources);
    TWINSET_TRY(seen_->seal(job.context.memory_bytes / 8));
    summary_.read = run_.state.records;
    summary_.quarantined = run_.state.bad;
    summary_.pages = seen_->pages();
    summary_.sites = seen_->sites();
    summary_.recursion_errors = seen_->recursion_errors();
    summary_.recursion_examples = seen_->recursion_examples();
    summary_.chunks.short_seen = seen_->short_chunks();
    summary_.chunks.stop_seen = seen_->stop_chunks();
    summary_.files.stop_seen = seen_->stop_files();
    return {};
  }

  Status no_page() const {
    RunFacts facts;
    run_.describe(facts);
    if (!options_.input.allow_lost && !facts.lost_inputs.empty()) {
      return nothing_left(facts.lost_inputs);
    }
    const ReadState& state = run_.state;
    if (state.records == 0) return usage_error("there is no page to read");
    return usage_error("none of " + format_count(state.records, "record", "records") +
                       " is a page to read (" + std::to_string(state.bad) + " are bad, " +
                       std::to_string(seen_->recursion_errors()) +
                       " are recursion errors); look at " + option("text") + ", " +
                       option("format") + " and " + option("repeats"));
  }

  Status find() {
    found_ =
        std::make_unique<FoundLabels>(job(), *seen_, *documents_, job().context.memory_bytes / 4);
    LabelThresholds thresholds;
    thresholds.known = job().reference_sources > 0;
    thresholds.stop_in_site = options_.stop_in_site;
    thresholds.stop_over_sites = options_.stop_over_sites;
    const auto find_kind = [&](LabelKind kind, std::uint64_t over, PartitionedRows<ObjectRow>& rows,
                               ObjectCounts& counts) -> Status {
      thresholds.over = over;
      TWINSET_TRY(found_->find(kind, thresholds, rows, counts));
      counts.expected_false_matches = expected_false_matches(static_cast<double>(counts.distinct),
                                                             chunk_hash_bits(rule_.chunks.hash));
      return {};
    };
    TWINSET_TRY(find_kind(LabelKind::file, options_.over_files, seen_->files(), summary_.files));
    TWINSET_TRY(
        find_kind(LabelKind::chunk, options_.over_chunks, seen_->chunks(), summary_.chunks));
    run_.spilled_bytes += seen_->stored_bytes();
    seen_->drop_rows();
    TWINSET_TRY(found_->seal());
    run_.spilled_bytes += found_->spilled_bytes();
    run_.clock.end("count");
    return {};
  }

  Status read_texts() {
    TWINSET_ASSIGN(texts_, LabelTexts::make(job(), rule_, *documents_, found_->labels()));
    return run_.pass("texts", {texts_.get()});
  }

  Status write() {
    FileSystem& files = *job().context.files;
    TWINSET_ASSIGN(summary_.labels_hash, write_labels());
    summary_.rules = to_text(rule_.chunks);
    run_.clock.end("write");
    run_.describe(summary_);
    const Status drawn = write_drawings(files);
    if (drawn.ok()) return {};
    TWINSET_TRY(remove_if_there(files, options_.output));
    return drawn;
  }

  Status write_drawings(FileSystem& files) {
    if (!options_.plot.empty()) {
      TWINSET_TRY(write_file_atomically(
          files, options_.plot,
          frequency_plot(summary_, options_.over_files, options_.over_chunks)));
    }
    if (options_.report.empty()) return {};
    TWINSET_ASSIGN(const ReportFiles report, discover_report(options_, summary_));
    return write_report(files, report, options_.report);
  }

  /// Labels, their places and their texts come in the order of their keys.
  Result<std::string> write_labels() {
    LabelWriter writer(job().context, options_.output, {to_text(rule_.chunks), rule_.chunks.hash});
    TWINSET_ASSIGN(const auto sorted, texts_->sorted(job().context.memory_bytes / 4));
    TWINSET_ASSIGN(const auto texts, sorted->read());
    TWINSET_ASSIGN(const auto places, found_->places().read());
    TWINSET_ASSIGN(const auto labels, found_->labels().read());
    Next next{*texts, *places, {}, {}};
    TWINSET_TRY(for_each_row(*labels, [&](const FoundLabel& found) -> Status {
      TWINSET_ASSIGN(const Label label, label_of(found, next));
      add_top(found, label);
      return writer.append(label);
    }));
    TWINSET_ASSIGN(const Fingerprint hash, writer.finish());
    return fingerprint_text(hash);
  }

  /// The cursors that labels are completed from, and scratch.
  struct Next {
    RowCursor<BlobKey>& texts;
    RowCursor<LabelPlace>& places;
    LabelText text;
    std::string url;
  };

  Result<Label> label_of(const FoundLabel& found, Next& next) {
    Label label;
    label.kind = static_cast<LabelKind>(found.kind);
    label.count = found.count;
    label.documents = found.documents;
    TWINSET_TRY(take_text(found, next, label));
    for (const LabelPlace* place = next.places.peek();
         place != nullptr && place->key == found.key && place->kind == found.kind;
         place = next.places.peek()) {
      TWINSET_TRY(seen_->url(documents_->index(place->document), next.url));
      add_sample(label, {next.url, place->offset, place->length});
      next.places.advance();
    }
    TWINSET_TRY(next.places.status());
    return label;
  }

  /// A file and a chunk of one key have a text each, in any order.
  Status take_text(const FoundLabel& found, Next& next, Label& label) {
    for (const BlobKey* row = next.texts.peek(); row != nullptr && row->key == found.key;
         row = next.texts.peek()) {
      TWINSET_TRY(texts_->read(row->number, next.text));
      next.texts.advance();
      if (!found.is(next.text.kind)) {
        held_ = next.text;
        continue;
      }
      label.hash = next.text.hash;
      add_text(label, next.text.text);
      return {};
    }
    TWINSET_TRY(next.texts.status());
    if (!found.is(held_.kind) || held_.hash.key() != found.key) return changed(found);
    label.hash = held_.hash;
    add_text(label, held_.text);
    return {};
  }

  Error changed(const FoundLabel& found) const {
    return io_error(job().source(found.document.source()).shown +
                    " changed while it was read; run the same command again");
  }

  void add_top(const FoundLabel& found, const Label& label) {
    DiscoveredLabel one;
    one.is_file = label.kind == LabelKind::file;
    one.count = label.count;
    std::vector<DiscoveredLabel>& top = summary_.top;
    if (options_.top == 0) return;
    if (top.size() == options_.top && one.count < top.back().count) return;
    one.hash = to_hex(label.hash, rule_.chunks.hash);
    one.documents = label.documents;
    one.sites = found.sites;
    if (!label.samples.empty()) one.url = label.samples.front().url;
    one.text = label.text;
    top.insert(std::ranges::upper_bound(top, one, is_more_frequent), std::move(one));
    if (top.size() > options_.top) top.pop_back();
  }

  /// Frees what has files in the run's folder.
  void drop() {
    texts_.reset();
    found_.reset();
    seen_.reset();
  }

  const DiscoverOptions options_;
  const RunControl& control_;
  CollectionRun run_;
  PageRule rule_;
  std::unique_ptr<LabelFile> stop_;
  std::unique_ptr<BadRecords> bad_;
  std::unique_ptr<SeenObjects> seen_;
  std::unique_ptr<DocumentTable> documents_;
  std::unique_ptr<FoundLabels> found_;
  std::unique_ptr<LabelTexts> texts_;
  LabelText held_;  ///< of the key before, for its other kind
  DiscoverSummary summary_;
};

}  // namespace

Result<DiscoverSummary> discover(const DiscoverOptions& options, const RunControl& control) {
  return DiscoverRun(options, control).run();
}

}  // namespace twinset

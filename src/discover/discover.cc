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
#include "discover/discover_run.h"
#include "discover/found_labels.h"
#include "discover/label_texts.h"
#include "discover/seen_objects.h"
#include "labels/label_file.h"
#include "reuse/reuse_rules.h"
#include "run/common_options.h"
#include "run/read_fates.h"
#include "run/run_verb.h"
#include "twinset/reuse.h"
#include "web/chunk_options.h"
#include "words/numbers.h"

namespace twinset {
namespace {

/// Known content alone is read as the input, all of whose objects are labels.
DiscoverOptions filled(DiscoverOptions options) {
  options.resources.checkpoint = UINT64_MAX;
  if (options.resources.tmp.empty()) options.resources.tmp = parent_of(options.output);
  const bool known_alone = std::ranges::all_of(options.columns, &TextColumn::reference);
  if (options.inputs.empty() && known_alone) {
    options.inputs.swap(options.from);
    for (TextColumn& column : options.columns) column.reference = false;
    options.over_files = options.over_chunks = 0;
    options.stop_in_site = options.stop_over_sites = 0;
  }
  return options;
}

VerbOptions discover_verb(const DiscoverOptions& options) {
  VerbOptions verb;
  verb.name = verb.identity = "discover";
  verb.works_in = WorksIn::own;
  verb.references = options.from;
  verb.report = options.report;
  verb.new_files = {{"output", options.output}};
  verb.reads_again = true;
  verb.needs_tokens = false;
  verb.signs = false;
  if (!options.pages.url.empty()) verb.fields = {options.pages.url};
  return verb;
}

/// More seen first, then by hash.
bool is_more_frequent(const DiscoveredLabel& a, const DiscoveredLabel& b) {
  if (a.count != b.count) return a.count > b.count;
  return a.hash != b.hash ? a.hash < b.hash : a.is_file < b.is_file;
}

class DiscoverRun final : public VerbSteps {
 public:
  DiscoverRun(const DiscoverOptions& options, const RunControl& control,
              DrawReport<DiscoverFindings> draw)
      : options_(filled(options)),
        draw_(draw),
        run_(collection_of(options_, {}, 0, options_.max_bad), discover_verb(options_), control) {}

  Result<DiscoverSummary> run() {
    if (options_.inputs.empty() && options_.columns.empty()) {
      return usage_error("no input given: files to read, or " + option("from", "IN"));
    }
    if (options_.output.empty()) return usage_error("no output given: " + option("output", "FILE"));
    TWINSET_TRY(check_page_settings(options_.pages));
    TWINSET_ASSIGN(chunks_, chunk_rules(options_.cutting));
    return run_verb(run_, summary_, *this);
  }

 private:
  Status check() override { return check_writable(*job().context.files, options_.output); }

  Status work() override {
    TWINSET_ASSIGN(cutting_,
                   page_cutting(*job().context.files, chunks_, options_.pages, options_.stop));
    TWINSET_TRY(read());
    TWINSET_TRY(find());
    TWINSET_TRY(read_texts());
    return write();
  }

  const Job& job() const { return run_.job; }

  Status read() {
    Job& job = run_.job;
    job.context.memory_bytes = job.memory.rows;
    seen_ = std::make_unique<SeenObjects>(job, cutting_.rule, job.memory.rows / 8 * 5);
    run_.stores.quarantine = std::make_unique<Quarantine>(*job.context.files, "", *job.collection);
    TWINSET_TRY(run_.pass("read", {run_.stores.quarantine.get(), seen_.get()}));
    summary_.bad_records = run_.stores.quarantine->first();
    if (seen_->pages() == 0) {
      return run_.nothing_to_read(
          "page to read",
          ", " + std::to_string(seen_->recursion_errors()) + " are recursion errors", "repeats");
    }
    TWINSET_TRY(
        run_.check_memory(DocumentTable::bytes_needed(seen_->lines(), false) + 4 * seen_->lines()));
    documents_ = std::make_unique<DocumentTable>(run_.state.lines, job.reference_sources);
    TWINSET_TRY(seen_->seal(job.context.memory_bytes / 8));
    count_records(run_.state, summary_);
    summary_.pages = seen_->pages();
    summary_.sites = seen_->sites();
    summary_.recursion_errors = seen_->recursion_errors();
    summary_.recursion_examples = seen_->recursion_examples();
    summary_.chunks.short_seen = seen_->short_chunks();
    summary_.chunks.stop_seen = seen_->stop_chunks();
    summary_.files.stop_seen = seen_->stop_files();
    return {};
  }

  Status find() {
    found_ =
        std::make_unique<FoundLabels>(job(), *seen_, *documents_, job().context.memory_bytes / 4);
    const bool known = job().reference_sources > 0;
    const auto find_kind = [&](LabelKind kind, PartitionedRows<ObjectRow>& rows,
                               ObjectCounts& counts) -> Status {
      TWINSET_TRY(found_->find(kind, LabelThresholds::of(options_, kind, known), rows, counts));
      counts.expected_false_matches = expected_false_matches(static_cast<double>(counts.distinct),
                                                             chunk_hash_bits(chunks_.hash));
      return {};
    };
    TWINSET_TRY(find_kind(LabelKind::file, seen_->files(), summary_.files));
    TWINSET_TRY(find_kind(LabelKind::chunk, seen_->chunks(), summary_.chunks));
    run_.spilled_bytes += seen_->stored_bytes();
    seen_->drop_rows();
    TWINSET_TRY(found_->seal());
    run_.spilled_bytes += found_->spilled_bytes();
    run_.clock.end("count");
    return {};
  }

  Status read_texts() {
    TWINSET_ASSIGN(texts_, LabelTexts::make(job(), cutting_.rule, *documents_, found_->labels()));
    return run_.pass("texts", {texts_.get()});
  }

  Status write() {
    TWINSET_ASSIGN(summary_.labels_hash, write_labels());
    made_ = true;
    summary_.rules = to_text(chunks_);
    run_.clock.end("write");
    return {};
  }

  /// A file without labels would find nothing, and not say why.
  Status conclude() override {
    if (summary_.chunks.labels + summary_.files.labels > 0) return {};
    const auto most = [](const ObjectCounts& counts) {
      return counts.frequencies.empty() ? 0 : counts.frequencies.back().count;
    };
    const std::uint64_t chunk = most(summary_.chunks);
    const std::uint64_t file = most(summary_.files);
    if (summary_.chunks.seen == 0 && summary_.chunks.short_seen > 0) {
      summary_.warnings.push_back("there are no labels: all chunks are too short (" +
                                  option("min_chars") + ")");
    } else if (job().reference_sources == 0 && chunk <= options_.over_chunks &&
               file <= options_.over_files) {
      std::string why = "there are no labels: no chunk was seen more than " +
                        format_count(options_.over_chunks) + " times, and no file more than " +
                        format_count(options_.over_files) + " (the most: " + format_count(chunk) +
                        " and " + format_count(file) + ")";
      // A fiftieth of the pages, if something is more frequent.
      if (chunk > 1) {
        const std::uint64_t over =
            std::min(chunk - 1, std::max<std::uint64_t>(summary_.pages / 50, 1));
        why += "; for " + format_count(summary_.pages, "page", "pages") + " try " +
               option("over_chunks", std::to_string(over));
      }
      summary_.warnings.push_back(std::move(why));
    } else if (summary_.chunks.in_site + summary_.chunks.over_sites + summary_.files.in_site +
                   summary_.files.over_sites >
               0) {
      summary_.warnings.push_back("there are no labels: " + option("stop_in_site") + " and " +
                                  option("stop_over_sites") + " left out all that there were");
    }
    return {};
  }

  Result<ReportFiles> report() override { return draw_({options_, summary_}); }

  void end(const Status& done) override {
    texts_.reset();
    found_.reset();
    seen_.reset();
    if (done.ok() || !made_) return;
    [[maybe_unused]] const Status removed =
        remove_if_there(*job().context.files, options_.output);  // `done` is the error to report.
  }

  /// Labels, their places and their texts come in the order of their keys.
  Result<std::string> write_labels() {
    LabelWriter writer(job().context, options_.output,
                       {to_text(chunks_), chunks_.hash, job().signer.view.pages});
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
    one.hash = to_hex(label.hash, chunks_.hash);
    one.documents = label.documents;
    one.sites = found.sites;
    if (!label.samples.empty()) one.url = label.samples.front().url;
    one.text = label.text;
    top.insert(std::ranges::upper_bound(top, one, is_more_frequent), std::move(one));
    if (top.size() > options_.top) top.pop_back();
  }

  const DiscoverOptions options_;
  const DrawReport<DiscoverFindings> draw_;
  CollectionRun run_;
  ChunkRules chunks_;
  PageCutting cutting_;
  std::unique_ptr<SeenObjects> seen_;
  std::unique_ptr<DocumentTable> documents_;
  std::unique_ptr<FoundLabels> found_;
  std::unique_ptr<LabelTexts> texts_;
  LabelText held_;     ///< of the key before, for its other kind
  bool made_ = false;  ///< the file of labels is there
  DiscoverSummary summary_;
};

}  // namespace

Result<DiscoverSummary> run_discover(const DiscoverOptions& options, const RunControl& control,
                                     DrawReport<DiscoverFindings> draw) {
  return DiscoverRun(options, control, draw).run();
}

}  // namespace twinset

// This file's interface is dedup/known_index.h; the rest is private: AddedDocuments makes what the
// index holds of the run's documents.
#include "dedup/known_index.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/message.h"
#include "base/plain_bytes.h"
#include "base/varint.h"
#include "index/index_log.h"
#include "match/match.h"
#include "rows/sorted_records.h"
#include "run/index_entries.h"
#include "run/output_paths.h"
#include "scheme/spec.h"

namespace twinset {
namespace {

/// A document on its way into the index, by its place in keep order.
struct OrderedEntry {
  Place place;
  std::uint64_t survivor = 0;  ///< its index in the run; its own if it was kept
  WholeDocument whole;         ///< with a survivor whose serial is not known yet

  void append_to(std::string& out) const {
    out += bytes_of(place);
    append_varint(survivor, out);
    whole.append_to(out);
  }
  static bool take(EncodedBytes& rest, OrderedEntry& out) {
    if (rest.size() < sizeof out.place) return false;
    std::memcpy(static_cast<void*>(&out.place), rest.data(), sizeof out.place);
    rest = rest.subspan(sizeof out.place);
    return take_varint(rest, out.survivor) &&
           WholeDocument::take(std::exchange(rest, {}), out.whole);
  }
  std::uint64_t memory_bytes() const { return sizeof place + whole.memory_bytes(); }
};

struct KeepsFirst {
  bool operator()(const OrderedEntry& a, const OrderedEntry& b) const { return a.place < b.place; }
};

/// Appends the run's documents to the index: as they come if that is keep order, else sorted.
class AddedDocuments final : public IndexEntries {
 public:
  AddedDocuments(const IndexFields& fields, const Job& job, const KnownDocuments& known,
                 const DocumentTable& documents, RowCursor<Proof>& proofs, IndexWriter& writer)
      : IndexEntries(fields, writer.snapshot().signer(), *job.collection),
        known_(known),
        documents_(documents),
        proofs_(proofs),
        writer_(writer),
        serials_(documents.size()) {
    if (job.keep.by == KeepRule::By::input) return;
    sorted_ = std::make_unique<SortedRecordsInOrder>(RowsOptions{
        &job.context, job.spill + "added", job.memory.rows / 4, job.signer.fingerprint});
  }

  /// After the pass.
  Status finish() {
    if (sorted_ == nullptr) return {};
    TWINSET_TRY(sorted_->seal());
    TWINSET_ASSIGN(auto cursor, sorted_->read());
    for (;;) {
      TWINSET_ASSIGN(const OrderedEntry* const entry, cursor.next());
      if (entry == nullptr) return sorted_->discard();
      IndexedDocument document;
      if (!read_document(entry->whole.document, document)) {
        return io_error("a document on its way into the index is damaged; run again");
      }
      TWINSET_TRY(append(documents_.index(entry->place.document), entry->survivor, document,
                         entry->whole.marks, entry->whole.text));
    }
  }

 private:
  using SortedRecordsInOrder = SortedRecords<OrderedEntry, KeepsFirst>;

  Part part_of(DocumentId document) const override {
    const Standing standing = documents_.standing(documents_.index(document));
    return standing.fate == Fate::kept ? Part::all
           : standing.folded()         ? Part::names
           : standing.judged_out()     ? Part::no_text
                                       : Part::none;
  }

  Status take_entry(IndexEntry& entry) override {
    const std::uint64_t index = documents_.index(entry.id);
    const Fate fate = final_fate(documents_, index);
    const std::uint64_t survivor = final_survivor(documents_, index);
    if (is_removed(fate)) {
      entry.document.survivor =
          Survivor{.fate = fate, .folded = documents_.standing(index).folded()};
      if (is_judged_out(fate)) TWINSET_TRY(find_link(entry.id, entry.document.survivor->link));
      TWINSET_ASSIGN(const bool there, is_there(entry.document));
      if (there) return {};
    }
    if (sorted_ == nullptr) {
      return append(index, survivor, entry.document, entry.marks, entry.text);
    }
    OrderedEntry ordered{documents_.place_at(index), survivor, {{}, entry.text, entry.marks}};
    append_document(entry.document, ordered.whole.document);
    return sorted_->append(std::move(ordered));
  }

  /// Proofs come in the order of the documents, as entries do.
  Status find_link(DocumentId document, Link& link) {
    const Proof* proof = proofs_.peek();
    for (; proof != nullptr && proof->document < document; proof = proofs_.peek()) {
      proofs_.advance();
    }
    TWINSET_TRY(proofs_.status());
    if (proof != nullptr && proof->document == document) link = proof->link;
    return {};
  }

  /// Has the index this very document, names and bytes?
  Result<bool> is_there(const IndexedDocument& document) const {
    TWINSET_ASSIGN(const std::vector<IndexPlace> places, writer_.snapshot().find_ids(document.id));
    for (const IndexPlace place : places) {
      TWINSET_ASSIGN(const IndexedDocument known, writer_.snapshot().document(place));
      if (known.bytes_hash == document.bytes_hash && known.url == document.url &&
          known.date == document.date) {
        return true;
      }
    }
    return false;
  }

  Status append(std::uint64_t index, std::uint64_t survivor, IndexedDocument document,
                std::span<const Marks> marks, std::string_view text) {
    if (document.survivor.has_value()) {
      // The survivor is before it in keep order: in the index, or appended already.
      std::uint64_t& serial = document.survivor->serial;
      if (documents_.is_earlier(survivor)) {
        TWINSET_ASSIGN(const IndexedDocument known, known_.document(documents_.document(survivor)));
        serial = known.serial;
      } else {
        serial = serials_[survivor];
      }
    }
    TWINSET_ASSIGN(serials_[index], writer_.append(document, marks, text));
    return {};
  }

  const KnownDocuments& known_;
  const DocumentTable& documents_;
  RowCursor<Proof>& proofs_;
  IndexWriter& writer_;
  std::vector<std::uint64_t> serials_;  ///< of those appended, by index in the run
  std::unique_ptr<SortedRecordsInOrder> sorted_;
};

bool is_typed(const DedupOptions& options, std::string_view name) {
  return std::ranges::find(options.typed, name) != options.typed.end();
}

/// The index among the references; empty if there is none.
Result<std::string> index_among(FileSystem& files, const DedupOptions& options) {
  for (const std::string& path : options.against) {
    const std::string folder = folder_path(path);
    TWINSET_ASSIGN(const bool is_index, is_index_folder(files, folder));
    if (is_index) return folder;
  }
  return std::string();
}

/// Errors (usage): what a run with an index cannot do.
Status check_possible(const DedupOptions& options, const std::string& index) {
  if (options.against.size() > 1) {
    return usage_error(index + " is an index: name nothing else in " + option("against"));
  }
  if (options.containment.has_value()) {
    return usage_error(option("containment") + " is not for an index (" + index +
                       "): its documents are found by the keys of whole texts. Ask it with " +
                       verb("query") + ", or leave the option out");
  }
  if (!options.within.empty()) {
    return usage_error(option("within") + " is not for an index: " + index +
                       " knows no parts of its documents. Leave the option out");
  }
  if (options.templates != Templates::keep) {
    return usage_error(option("templates") + " is not for an index: " + index +
                       " holds whole texts. Leave the option out");
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<KnownIndex>> KnownIndex::open(const RunControl& control,
                                                     DedupOptions& options) {
  FileSystem& files = files_of(control);
  TWINSET_ASSIGN(const std::string folder, index_among(files, options));
  if (!options.add) {
    const bool keeps_url = !folder.empty() && !options.url.empty();  // Else it is for templates.
    if (keeps_url || !options.date.empty()) {
      return usage_error(option(keeps_url ? "url" : "date") + " is kept by " + switch_on("add") +
                         ": add that, or leave it out");
    }
  }
  if (folder.empty()) {
    if (!options.add) return std::unique_ptr<KnownIndex>();
    return usage_error(switch_on("add") + " is for an index: give " + option("against", "INDEX"));
  }
  TWINSET_TRY(check_possible(options, folder));
  if (options.add && options.dry_run) {
    return usage_error(switch_on("dry_run") + " changes no index; leave out " + switch_on("add"));
  }
  std::unique_ptr<KnownIndex> index(new KnownIndex);
  index->context_ = context_of(control);
  if (options.add) {
    TWINSET_ASSIGN(index->writer_, IndexWriter::open(index->context_, folder, "dedup"));
  } else {
    TWINSET_ASSIGN(index->snapshot_, IndexSnapshot::open(files, folder));
  }
  TWINSET_ASSIGN(const std::size_t scheme, index->choose_scheme(files, options));
  index->known_ = std::make_unique<KnownDocuments>(index->snapshot(), folder, scheme);
  return index;
}

/// The number of the scheme by which documents are found: the one asked for, else the first that
/// can.
Result<std::size_t> KnownIndex::choose_scheme(FileSystem& files, DedupOptions& options) const {
  const IndexSettings& settings = snapshot().manifest().settings;
  const std::vector<IndexScheme>& schemes = snapshot().signer().schemes();
  if (is_typed(options, "analyzer") && options.analyzer != settings.analyzer) {
    return usage_error(option("analyzer", options.analyzer) + " is not that of the index, " +
                       settings.analyzer + "; leave it out");
  }
  options.analyzer = settings.analyzer;
  std::string wanted;
  if (is_typed(options, "scheme")) {
    TWINSET_ASSIGN(const auto scheme,
                   make_scheme(spec_for(*snapshot().signer().view().analyzer,
                                        seeded_spec(options.scheme, options.seed)),
                               settings.resemblance.value(), files));
    wanted = scheme->spec();
  }
  std::string known;
  for (std::size_t i = 0; i < schemes.size(); ++i) {
    const Scheme& scheme = *schemes[i].scheme;
    known += (known.empty() ? "" : ", ") + scheme.spec();
    if (!wanted.empty() && scheme.spec() != wanted) continue;
    // Without texts sketches decide, and must be able to.
    const bool decides = settings.texts || scheme.estimates();
    if (scheme.declaration().shared_key != SharedKey::candidate ||
        scheme.facts().signature_bits != 0 || !decides) {
      continue;
    }
    options.scheme = scheme.spec();
    options.seed = 0;
    return i;
  }
  return usage_error(wanted.empty()
                         ? "an index for dedup needs a scheme of bands, such as fss" +
                               std::string(settings.texts ? "" : ", that estimates resemblance") +
                               "; this one has " + known
                         : "the index has no scheme " + wanted +
                               " by which documents are found, only " + known);
}

void KnownIndex::begin(Job& job) {
  known_->stand_behind(job.sources());
  job.known = known_.get();
}

std::string KnownIndex::state() const {
  const Manifest& manifest = snapshot().manifest();
  std::string state = " index " + manifest.fingerprint + " " + std::to_string(manifest.log) + "/" +
                      std::to_string(snapshot().logged_changes());
  for (const ListedSegment& segment : manifest.segments) {
    state += " " + segment.hash + "/" + std::to_string(segment.deleted);
  }
  return state;
}

Status KnownIndex::check_apart(const DedupOptions& options) const {
  const std::string index = normal_path(known_->shown());
  for (const std::string& path :
       {options.output, options.report, options.summary, options.removed}) {
    if (path.empty() || !within(normal_path(path), index)) continue;
    return usage_error(path + " lies in the index " + known_->shown() +
                       ", which holds nothing else; choose another place");
  }
  return {};
}

Result<std::uint64_t> KnownIndex::add(CollectionRun& run, const DedupOptions& options,
                                      const DocumentTable& documents,
                                      const RowFile<Proof>& proofs) {
  const IndexFields fields{.url = options.url, .date = options.date, .others = {}};
  TWINSET_TRY(writer_->begin_adding(run.job.memory.rows / 4));
  TWINSET_ASSIGN(const auto cursor, proofs.read());
  AddedDocuments added(fields, run.job, *known_, documents, *cursor, *writer_);
  TWINSET_TRY(run.read_again("add", {&added}));
  TWINSET_TRY(added.finish());
  return writer_->serials();
}

Status KnownIndex::commit() {
  // From here on the snapshot is another one.
  known_.reset();
  TWINSET_ASSIGN(const IndexChange change, writer_->commit());
  if (!change.not_merged.empty() && context_.progress != nullptr) {
    context_.progress->notice("many small segments of the index could not be merged: " +
                              change.not_merged);
  }
  return {};
}

}  // namespace twinset

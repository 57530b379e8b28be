// This file's interface is index/index_writer.h.
#include "index/index_writer.h"

#include <algorithm>
#include <bit>

#include "base/file_header.h"
#include "base/message.h"
#include "index/merge_segments.h"
#include "io/field_json.h"
#include "system/clean_up.h"
#include "twinset/field.h"

namespace twinset {
namespace {

/// A log of so many documents or bytes becomes a segment.
constexpr std::uint64_t most_logged = 1024;
constexpr std::uint64_t most_log_bytes = std::uint64_t{8} << 20;

/// So many segments of like sizes become one: a document is copied log8(documents) times at most.
constexpr std::size_t merged_at_once = 8;
/// At once in the background: one of millions of documents takes minutes, one of a few thousand
/// less than a second.
constexpr std::size_t most_merges = 3;
/// Segments of fewer documents are alike.
constexpr std::uint64_t smallest_tier = 1024;

/// Segments whose sizes are within 8 times of each other are alike.
unsigned tier_of(std::uint64_t documents) {
  return static_cast<unsigned>(std::bit_width(documents / smallest_tier) + 2) / 3;
}
constexpr unsigned largest_tier = 22;

constexpr std::uint64_t most_summary_bytes = std::uint64_t{1} << 30;

std::string lock_path(const std::string& index) { return index + "/lock"; }

Error in_use(const std::string& index, const std::string& holder) {
  return io_error(index + " is being changed by " + (holder.empty() ? "another process" : holder) +
                  "; wait until that ends");
}

/// Error (usage) if there is anything but what a killed create() leaves.
Status check_new_folder(FileSystem& files, const std::string& index) {
  TWINSET_ASSIGN(const FileStatus status, files.status(index));
  if (status.kind == FileStatus::Kind::missing) return {};
  if (status.kind != FileStatus::Kind::directory) {
    return usage_error(index + " exists and is not a folder; name a new folder");
  }
  TWINSET_ASSIGN(const std::vector<std::string> names, files.list(index));
  for (const std::string& name : names) {
    if (name == "lock" || name == "manifest.partial") continue;
    return usage_error(index + " exists and is not empty; name a new folder");
  }
  return {};
}

/// The part of a run's summary that tells it.
struct RunIdentity {
  std::string identity;
};
std::vector<Field> fields_of(RunIdentity& run) {
  return {{"run", Nested([&run] {
             return std::vector<Field>{{"identity", &run.identity, Unit::code, "of the run"}};
           }),
           Unit::text, "how it went"}};
}

/// Does the output of the run that wrote a segment have its name?
Result<bool> is_output_of(FileSystem& files, const PendingSegment& pending) {
  const std::string path = pending.output + "/summary.json";
  TWINSET_ASSIGN(const FileStatus status, files.status(path));
  if (status.kind != FileStatus::Kind::regular) return false;
  TWINSET_ASSIGN(const std::string json, read_whole_file(files, path, most_summary_bytes));
  RunIdentity run;
  const Status read = read_fields(json, path, fields_of(run));
  return read.ok() && run.identity == pending.identity;
}

bool is_number(std::string_view name) {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

Status IndexWriter::create(FileSystem& files, const std::string& index,
                           const IndexSettings& settings) {
  TWINSET_TRY(check_new_folder(files, index));
  TWINSET_ASSIGN(const IndexSigner signer, IndexSigner::make(settings, files));
  TWINSET_TRY(make_directories(files, index));
  std::string holder;
  TWINSET_ASSIGN(const auto lock, files.lock(lock_path(index), "index create", holder));
  if (lock == nullptr) return in_use(index, holder);
  // Another process may have made one meanwhile.
  TWINSET_TRY(check_new_folder(files, index));
  Manifest manifest;
  manifest.settings = signer.settings();
  manifest.fingerprint = fingerprint_text(signer.fingerprint());
  return write_manifest(files, index, manifest);
}

Result<std::unique_ptr<IndexWriter>> IndexWriter::open(const RunContext& context,
                                                       const std::string& index,
                                                       std::string_view verb) {
  FileSystem& files = *context.files;
  // Before the lock, which would make a folder of a mistyped name.
  TWINSET_TRY(read_manifest(files, index));
  std::unique_ptr<IndexWriter> writer(new IndexWriter(context, index));
  std::string holder;
  TWINSET_ASSIGN(writer->lock_, files.lock(lock_path(index), verb, holder));
  if (writer->lock_ == nullptr) return in_use(index, holder);
  TWINSET_TRY(writer->reopen());
  TWINSET_TRY(writer->settle_pending());
  return writer;
}

IndexWriter::~IndexWriter() {
  if (adding_ == nullptr) return;
  adding_.reset();
  // The next writer would remove it anyway.
  clean_up([&] { return context_.files->remove_tree(index_ + "/" + std::to_string(segment_)); });
}

/// Removes what the manifest does not name: of a change that was not made, or that was made and
/// has left the old behind.
Status IndexWriter::remove_left_over() const {
  FileSystem& files = *context_.files;
  std::vector<ListedSegment> segments = snapshot_.manifest().segments;
  const std::optional<PendingSegment>& pending = snapshot_.manifest().pending;
  if (pending.has_value()) segments.push_back(pending->segment);
  TWINSET_ASSIGN(const std::vector<std::string> names, files.list(index_));
  const std::uint64_t log = snapshot_.manifest().log;
  for (const std::string& name : names) {
    if (name.starts_with("log.") && (log == 0 || name != index_log_name(log))) {
      TWINSET_TRY(files.remove_file(index_ + "/" + name));
    }
    if (!is_number(name)) continue;
    const auto listed = std::ranges::find_if(segments, [&](const ListedSegment& segment) {
      return std::to_string(segment.number) == name;
    });
    const std::string folder = index_ + "/" + name;
    const auto is_made_here = [&](const std::unique_ptr<BackgroundMerge>& merge) {
      return name == std::to_string(merge->number());
    };
    if (std::ranges::any_of(merges_, is_made_here)) continue;
    if (listed == segments.end()) {
      TWINSET_TRY(files.remove_tree(folder));
      continue;
    }
    TWINSET_ASSIGN(const std::vector<std::string> inside, files.list(folder));
    for (const std::string& file : inside) {
      const bool is_old = file.starts_with("deleted.") &&
                          (listed->deletions == 0 || file != listed->deletions_file());
      if (is_old) TWINSET_TRY(files.remove_file(folder + "/" + file));
    }
  }
  return {};
}

/// The folder of a new segment, made durable.
Result<std::string> IndexWriter::new_segment() {
  segment_ = next_++;
  const std::string folder = index_ + "/" + std::to_string(segment_);
  TWINSET_TRY(context_.files->remove_tree(folder));
  TWINSET_TRY(context_.files->make_directory(folder));
  TWINSET_TRY(context_.files->sync_directory(index_));
  return folder;
}

Status IndexWriter::begin_adding(std::uint64_t memory_bytes) {
  memory_bytes_ = memory_bytes;
  return {};
}

/// What was to go into the log goes into a new segment, and so does all that follows.
Status IndexWriter::begin_segment() {
  TWINSET_ASSIGN(const std::string folder, new_segment());
  adding_ = std::make_unique<SegmentWriter>(context_, folder, snapshot_.signer(), memory_bytes_);
  for (const WholeDocument& document : waiting_) TWINSET_TRY(append_whole(document, *adding_));
  waiting_ = {};
  waiting_bytes_ = 0;
  return {};
}

Status IndexWriter::add(const IndexedDocument& document, std::span<const Marks> marks,
                        std::string_view text) {
  bool is_there = false;
  bool is_equal = false;
  TWINSET_TRY(remove_older(document.id, &document, is_there, is_equal));
  if (is_equal) {
    ++change_.unchanged;
    return {};
  }
  TWINSET_TRY(append(document, marks, text));
  change_.replaced += is_there ? 1 : 0;
  may_repeat_ = true;
  return {};
}

Result<std::uint64_t> IndexWriter::append(const IndexedDocument& document,
                                          std::span<const Marks> marks, std::string_view text) {
  IndexedDocument numbered = document;
  numbered.serial = serials_++;
  ++change_.added;
  if (adding_ != nullptr) {
    TWINSET_TRY(adding_->append(numbered, marks, text));
    return numbered.serial;
  }
  WholeDocument& whole = waiting_.emplace_back();
  append_document(numbered, whole.document);
  if (snapshot_.signer().settings().texts && !numbered.survivor.has_value()) whole.text = text;
  whole.marks.assign(marks.begin(), marks.end());
  waiting_bytes_ += whole.memory_bytes();
  if (!is_small()) TWINSET_TRY(begin_segment());
  return numbered.serial;
}

Result<bool> IndexWriter::remove(std::string_view id) {
  bool is_there = false;
  bool is_equal = false;
  TWINSET_TRY(remove_older(id, nullptr, is_there, is_equal));
  change_.deleted += is_there ? 1 : 0;
  return is_there;
}

/// Deletes the documents of the snapshot that have the id, unless the only one equals its
/// replacement.
Status IndexWriter::remove_older(std::string_view id, const IndexedDocument* replacement,
                                 bool& is_there, bool& is_equal) {
  TWINSET_ASSIGN(std::vector<IndexPlace> places, snapshot_.find_ids(id));
  // What this change has deleted is in the way of nothing.
  std::erase_if(places,
                [&](IndexPlace place) { return deleted_[place.segment].has(place.number); });
  if (replacement != nullptr && places.size() == 1) {
    TWINSET_ASSIGN(const IndexedDocument old, snapshot_.document(places.front()));
    is_equal = old.repeats(*replacement);
    if (is_equal) return {};
  }
  for (const IndexPlace place : places) {
    deleted_[place.segment].add(place.number);
    gone_.push_back(place);
  }
  is_there = !places.empty();
  return {};
}

/// Of documents of one id in a new segment the last one counts.
Status IndexWriter::mark_repeated(const Segment& segment, DocumentSet& deleted) {
  std::vector<std::uint64_t> group;  // documents of one key, in order
  std::uint64_t key = 0;
  const auto end_group = [&]() -> Status {
    for (std::size_t i = 0; i + 1 < group.size(); ++i) {
      TWINSET_ASSIGN(const IndexedDocument earlier, segment.document(group[i]));
      for (std::size_t j = i + 1; j < group.size(); ++j) {
        TWINSET_ASSIGN(const IndexedDocument later, segment.document(group[j]));
        if (earlier.id != later.id) continue;
        deleted.add(group[i]);
        break;
      }
    }
    group.clear();
    return {};
  };
  TWINSET_TRY(for_each_row(segment.postings(SegmentFiles::ids), [&](const Posting& row) -> Status {
    if (row.key != key) TWINSET_TRY(end_group());
    key = row.key;
    group.push_back(row.document);
    return {};
  }));
  TWINSET_TRY(end_group());
  change_.repeated = deleted.count();
  change_.added -= deleted.count();
  return {};
}

/// Lists the segment whose files were just written, unless it has no document. `may_repeat`: ids
/// may be there several times.
Status IndexWriter::list_segment(bool may_repeat, std::vector<ListedSegment>& segments) {
  ListedSegment listed{.number = segment_, .hash = {}};
  const std::string folder = listed.folder(index_);
  TWINSET_ASSIGN(const auto segment, Segment::open(*context_.files, folder, snapshot_.signer()));
  listed.documents = segment->documents();
  if (listed.documents == 0) return {};
  listed.hash = fingerprint_text(segment->facts().hash);
  DocumentSet repeated(listed.documents);
  if (may_repeat) TWINSET_TRY(mark_repeated(*segment, repeated));
  TWINSET_TRY(write_deleted(repeated, listed));
  segments.push_back(std::move(listed));
  return {};
}

/// Writes the lists of deleted documents that this change, or the log, has made longer.
Status IndexWriter::write_deletions(Manifest& manifest) {
  for (std::size_t i = 0; i < parts_on_disk(); ++i) {
    TWINSET_TRY(write_deleted(deleted_[i], manifest.segments[i]));
  }
  return {};
}

/// Does what was added so far go into the log?
bool IndexWriter::is_small() const {
  return adding_ == nullptr && waiting_.size() <= most_logged_at_once &&
         waiting_bytes_ <= most_logged_bytes_at_once &&
         change_.deleted + change_.replaced <= most_logged_at_once;
}

Result<IndexChange> IndexWriter::commit() {
  const bool in_log = is_small() && !snapshot_.manifest().pending.has_value();
  TWINSET_TRY(in_log ? commit_to_log() : commit_to_segment());
  const Status tidied = tidy();
  if (!tidied.ok()) {
    // The change was made. What cannot be merged now, or is interrupted, is with a later one.
    if (tidied.error().code != ErrorCode::interrupted) change_.not_merged = tidied.error().message;
    TWINSET_TRY(reopen());
  }
  return std::exchange(change_, IndexChange());
}

/// One batch, which is all of the change.
Status IndexWriter::commit_to_log() {
  std::string batch;
  for (const IndexPlace place : gone_) {
    TWINSET_ASSIGN(const IndexedDocument document, snapshot_.document(place));
    log_removed(document.serial, batch);
  }
  std::unique_ptr<const Segment> added;
  DocumentSet repeated(waiting_.size());
  if (!waiting_.empty()) {
    TWINSET_ASSIGN(added, segment_of(waiting_, snapshot_.signer()));
    if (may_repeat_) TWINSET_TRY(mark_repeated(*added, repeated));
    for (const WholeDocument& document : waiting_) log_added(document, batch);
    for (std::uint64_t number = 0; number < added->documents(); ++number) {
      if (!repeated.has(number)) continue;
      TWINSET_ASSIGN(const IndexedDocument document, added->document(number));
      log_removed(document.serial, batch);
    }
  }
  if (batch.empty()) return {};
  TWINSET_TRY(open_log());
  TWINSET_TRY(log_->append(batch));
  TWINSET_TRY(log_->sync());
  for (const IndexPlace place : std::exchange(gone_, {})) snapshot_.hide(place);
  if (added != nullptr) {
    deleted_.push_back(repeated);
    snapshot_.add_part(std::move(added), std::move(repeated));
  }
  snapshot_.logged_documents_ += waiting_.size();
  snapshot_.logged_changes_ = log_->batches();
  snapshot_.log_bytes_ = log_->bytes();
  snapshot_.manifest_.serials = serials_;
  waiting_.clear();
  waiting_bytes_ = 0;
  may_repeat_ = false;
  return {};
}

/// The log of the index, which this makes if there is none.
Status IndexWriter::open_log() {
  if (log_ != nullptr) return {};
  Manifest manifest = snapshot_.manifest();
  const bool is_new = manifest.log == 0;
  if (is_new) manifest.log = next_++;
  const std::string path = index_ + "/" + index_log_name(manifest.log);
  const std::uint64_t fingerprint = index_log_fingerprint(manifest.log, snapshot_.signer());
  if (is_new) {
    TWINSET_TRY(LogFile::create(*context_.files, path, fingerprint));
    TWINSET_TRY(write(manifest));
    snapshot_.manifest_ = std::move(manifest);
  }
  TWINSET_ASSIGN(log_, LogFile::open(context_, path, fingerprint, OpenMode::append));
  return {};
}

/// A new segment, after one of what the log has.
Status IndexWriter::commit_to_segment() {
  if (!waiting_.empty()) TWINSET_TRY(begin_segment());
  Manifest manifest = snapshot_.manifest();
  std::vector<ListedSegment> added;
  if (adding_ != nullptr) {
    TWINSET_TRY(adding_->finish());
    TWINSET_TRY(list_segment(may_repeat_, added));
  }
  TWINSET_TRY(seal_log(manifest));
  TWINSET_TRY(write_deletions(manifest));
  manifest.segments.insert(manifest.segments.end(), added.begin(), added.end());
  if (manifest.pending.has_value()) {
    manifest.segments.push_back(manifest.pending->segment);
    manifest.pending.reset();
  }
  const Manifest& before = snapshot_.manifest();
  if (manifest.segments == before.segments && manifest.log == before.log) return {};
  return publish(std::move(manifest));
}

bool IndexWriter::log_is_full() const {
  // Deletions are small, but each is looked up by whoever opens the index.
  return snapshot_.logged_documents_ >= most_logged || snapshot_.log_bytes() >= most_log_bytes ||
         snapshot_.logged_changes() >= 4 * most_logged;
}

/// Keeps the log short, and the segments few, on disk and in memory.
Status IndexWriter::tidy() {
  if (log_is_full()) TWINSET_TRY(commit_to_segment());
  for (std::size_t i = merges_.size(); i-- > 0;) {
    if (merges_[i]->is_done()) TWINSET_TRY(end_merge(i));
  }
  while (const std::optional<std::size_t> first = first_to_merge()) {
    if (merges_.size() == most_merges) break;
    TWINSET_TRY(merges_in_background_ ? begin_merge(*first) : merge(*first));
  }
  return merge_logged();
}

Status IndexWriter::begin_merge(std::size_t first) {
  std::vector<BackgroundMerge::Source> sources;
  for (std::size_t part = first; part < parts_on_disk(); ++part) {
    sources.push_back({snapshot_.manifest().segments[part], deleted_[part]});
  }
  TWINSET_TRY(new_segment());
  merges_.push_back(std::make_unique<BackgroundMerge>(
      *context_.files, index_, snapshot_.signer().settings(), std::move(sources), segment_));
  return {};
}

/// Puts the segment that was merged in the place of its sources. Documents that went since then go
/// from it, too.
Status IndexWriter::end_merge(std::size_t which) {
  const auto merge = std::move(merges_[which]);
  merges_.erase(merges_.begin() + static_cast<std::ptrdiff_t>(which));
  TWINSET_TRY(merge->wait());
  const std::vector<BackgroundMerge::Source>& sources = merge->sources();
  Manifest manifest = snapshot_.manifest();
  const auto begin =
      std::ranges::find(manifest.segments, sources.front().listed.number, &ListedSegment::number);
  const auto first = static_cast<std::size_t>(begin - manifest.segments.begin());
  std::vector<ListedSegment> merged;
  segment_ = merge->number();
  TWINSET_TRY(list_segment(false, merged));
  if (!merged.empty()) {
    TWINSET_ASSIGN(const auto segment, Segment::open(*context_.files, merged.front().folder(index_),
                                                     snapshot_.signer()));
    DocumentSet deleted(segment->documents());
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const Segment& source = *snapshot_.parts()[first + i].segment;
      const DocumentSet& now = deleted_[first + i];
      if (now.count() == sources[i].deleted.count()) continue;
      for (std::uint64_t number = 0; number < source.documents(); ++number) {
        if (!now.has(number) || sources[i].deleted.has(number)) continue;
        TWINSET_ASSIGN(const IndexedDocument document, source.document(number));
        TWINSET_ASSIGN(const auto place, segment->find_serial(document.serial));
        if (place.has_value()) deleted.add(*place);
      }
    }
    TWINSET_TRY(write_deleted(deleted, merged.front()));
  }
  const auto end = begin + static_cast<std::ptrdiff_t>(sources.size());
  manifest.segments.insert(manifest.segments.erase(begin, end), merged.begin(), merged.end());
  TWINSET_TRY(publish(std::move(manifest)));
  change_.merged += sources.size();
  return {};
}

/// Lists the deleted documents of a segment, if it has others than are listed.
Status IndexWriter::write_deleted(const DocumentSet& deleted, ListedSegment& listed) {
  if (deleted.count() == listed.deleted) return {};
  listed.deletions = next_++;
  listed.deleted = deleted.count();
  const SegmentFiles names(listed.folder(index_), snapshot_.signer().fingerprint());
  const std::string name = listed.deletions_file();
  return deleted.write(context_, names.path(name), names.kind(name));
}

/// Makes parts in memory one, as often as that keeps their number low and their copies few.
Status IndexWriter::merge_logged() {
  const std::vector<IndexSnapshot::Part>& parts = snapshot_.parts();
  for (std::uint64_t most = merged_at_once; most < most_logged; most *= merged_at_once) {
    std::size_t first = parts.size();
    while (first > parts_on_disk() && parts[first - 1].listed.documents < most) --first;
    if (parts.size() - first < merged_at_once) continue;
    const IndexSigner& signer = snapshot_.signer();
    TWINSET_ASSIGN(
        auto segment,
        segment_in_memory(signer, [&](const RunContext& context, const std::string& folder) {
          return merge_segments(context, std::span(parts).subspan(first), signer, folder);
        }));
    snapshot_.parts_.resize(first);
    deleted_.resize(first);
    DocumentSet none(segment->documents());
    deleted_.push_back(none);
    snapshot_.add_part(std::move(segment), std::move(none));
  }
  return {};
}

/// What the log has becomes a segment of `manifest`, which has no log afterwards.
Status IndexWriter::seal_log(Manifest& manifest) {
  if (manifest.log == 0) return {};
  for (const IndexPlace place : std::exchange(gone_, {})) snapshot_.hide(place);
  manifest.log = 0;
  manifest.changes = snapshot_.changes();
  const auto parts = std::span(snapshot_.parts()).subspan(parts_on_disk());
  if (parts.empty()) return {};
  TWINSET_ASSIGN(const std::string folder, new_segment());
  TWINSET_TRY(merge_segments(context_, parts, snapshot_.signer(), folder));
  return list_segment(false, manifest.segments);
}

Status IndexWriter::prepare(const std::string& output, const std::string& identity) {
  if (adding_ == nullptr) TWINSET_TRY(begin_segment());
  TWINSET_TRY(adding_->finish());
  std::vector<ListedSegment> written;
  TWINSET_TRY(list_segment(false, written));
  if (written.empty()) return {};
  Manifest manifest = snapshot_.manifest();
  TWINSET_TRY(seal_log(manifest));
  TWINSET_TRY(write_deletions(manifest));
  manifest.pending = {written.front(), output, identity};
  return publish(std::move(manifest));
}

/// What a run has prepared and not committed, because it was killed: was its output made?
Status IndexWriter::settle_pending() {
  Manifest manifest = snapshot_.manifest();
  if (!manifest.pending.has_value()) return {};
  const PendingSegment pending = *std::exchange(manifest.pending, std::nullopt);
  TWINSET_ASSIGN(const bool made, is_output_of(*context_.files, pending));
  if (made) manifest.segments.push_back(pending.segment);
  // Nothing has been added since: their serials are the last ones, and nobody has them.
  if (!made) serials_ -= pending.segment.documents;
  if (!made && context_.progress != nullptr) {
    context_.progress->notice("a run had prepared " + std::to_string(pending.segment.documents) +
                              " documents for " + index_ + ", and its output " + pending.output +
                              " is not there: they are dropped");
  }
  return publish(manifest);
}

/// Puts the manifest in place, with the numbers that are next.
Status IndexWriter::write(Manifest& manifest) {
  manifest.next = next_;
  manifest.serials = serials_;
  ++manifest.changes;
  return write_manifest(*context_.files, index_, manifest);
}

/// Puts the manifest in place, and takes the index as it says.
Status IndexWriter::publish(Manifest manifest) {
  // From here on the segment may be one that the index has: if the rename fails, it may have been
  // made. What is not named goes with the next change.
  adding_.reset();
  waiting_ = {};
  waiting_bytes_ = 0;
  TWINSET_TRY(write(manifest));
  return reopen();
}

/// Takes the index as it is, and removes what it does not name.
Status IndexWriter::reopen() {
  TWINSET_ASSIGN(snapshot_, IndexSnapshot::open(*context_.files, index_, &snapshot_));
  // A merge may have taken a number that no manifest knows yet.
  next_ = std::max(next_, snapshot_.manifest().next);
  serials_ = snapshot_.manifest().serials;
  log_.reset();
  may_repeat_ = false;
  gone_.clear();
  deleted_.clear();
  for (const IndexSnapshot::Part& part : snapshot_.parts()) deleted_.push_back(part.deleted);
  // The manifest may have its name since a moment ago, by a process that was killed before it made
  // that durable: what the one before names must not go first.
  TWINSET_TRY(context_.files->sync_directory(index_));
  return remove_left_over();
}

/// The first of the last segments that are to be one, because they are many and alike. None that
/// is being merged.
std::optional<std::size_t> IndexWriter::first_to_merge() const {
  const std::vector<IndexSnapshot::Part>& parts = snapshot_.parts();
  std::size_t begin = 0;
  for (const auto& merge : merges_) {
    const std::uint64_t last = merge->sources().back().listed.number;
    while (parts[begin].listed.number != last) ++begin;
    ++begin;
  }
  for (unsigned tier = 0; tier <= largest_tier; ++tier) {
    std::size_t first = parts_on_disk();
    while (first > begin && tier_of(parts[first - 1].listed.documents) <= tier) --first;
    if (parts_on_disk() - first >= merged_at_once && fit_one(first)) return first;
  }
  return std::nullopt;
}

/// Have the segments from `first` on no more documents and postings than one may have?
bool IndexWriter::fit_one(std::size_t first) const {
  const std::size_t postings = SegmentFiles::first_scheme + snapshot_.signer().schemes().size();
  for (std::size_t i = 0; i < postings; ++i) {
    std::uint64_t sum = 0;
    for (std::size_t part = first; part < parts_on_disk(); ++part) {
      sum += snapshot_.parts()[part].segment->postings(i).count();
    }
    if (sum > most_postings) return false;
  }
  return true;
}

/// Makes the segments on disk from `first` on one.
Status IndexWriter::merge(std::size_t first) {
  Manifest manifest = snapshot_.manifest();
  const std::size_t count = parts_on_disk() - first;
  const auto parts = std::span(snapshot_.parts()).subspan(first, count);
  TWINSET_ASSIGN(const std::string folder, new_segment());
  TWINSET_TRY(merge_segments(context_, parts, snapshot_.signer(), folder));
  manifest.segments.resize(first);
  TWINSET_TRY(list_segment(false, manifest.segments));
  TWINSET_TRY(publish(std::move(manifest)));
  change_.merged += count;
  return {};
}

Result<IndexChange> IndexWriter::compact() {
  TWINSET_ASSIGN(IndexChange change, commit());
  TWINSET_TRY(seal());
  while (!merges_.empty()) TWINSET_TRY(end_merge(merges_.size() - 1));
  const std::vector<IndexSnapshot::Part>& parts = snapshot_.parts();
  const bool is_compact =
      parts.empty() || (parts.size() == 1 && parts.front().deleted.count() == 0);
  if (!is_compact && !fit_one(0)) {
    return usage_error(index_ +
                       " has more documents or keys than one segment holds, 2^32 - 1; "
                       "compact it before it grows so far, or divide it");
  }
  if (!is_compact) TWINSET_TRY(merge(0));
  change.merged += std::exchange(change_, IndexChange()).merged;
  return change;
}

}  // namespace twinset

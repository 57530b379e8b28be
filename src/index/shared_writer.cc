// This file's interface is index/shared_writer.h.
#include "index/shared_writer.h"

#include <algorithm>
#include <new>
#include <utility>

#include "scheme/identity.h"
#include "system/out_of_memory.h"

namespace twinset {
namespace {

/// What a batch waits for while documents are on their way into the index.
constexpr std::uint64_t adding_bytes = std::uint64_t{16} << 20;

bool is_same_file(const FileStatus& a, const FileStatus& b) {
  return a.kind == b.kind && a.device == b.device && a.inode == b.inode;
}

IndexedDocument read_whole(const WholeDocument& whole) {
  IndexedDocument document;
  // It was made by mark_document().
  if (!read_document(whole.document, document)) document = {};
  return document;
}

IndexChange difference(const IndexChange& after, const IndexChange& before) {
  IndexChange change;
  change.added = after.added - before.added;
  change.replaced = after.replaced - before.replaced;
  change.unchanged = after.unchanged - before.unchanged;
  change.deleted = after.deleted - before.deleted;
  return change;
}

}  // namespace

WholeDocument mark_document(const IndexSigner& signer, const RecordView& view,
                            IndexedDocument names) {
  WholeDocument whole;
  names.markup = view.markup();
  names.text_bytes = view.text().size();
  names.tokens = view.analysis().tokens.size();
  names.bytes_hash = identical_fingerprint(view.text());
  names.tokens_hash = view.lexical_fingerprint();
  append_document(names, whole.document);
  signer.mark(view, whole.marks);
  if (signer.settings().texts) whole.text = view.text();
  return whole;
}

Result<std::unique_ptr<SharedIndexWriter>> SharedIndexWriter::open(const RunContext& context,
                                                                   std::string index,
                                                                   std::string verb,
                                                                   Replacement replacement) {
  std::unique_ptr<SharedIndexWriter> shared(
      new SharedIndexWriter(context, std::move(index), std::move(verb), replacement));
  TWINSET_TRY(shared->open_writer());
  return shared;
}

SharedIndexWriter::~SharedIndexWriter() = default;

std::shared_ptr<const IndexSnapshot> SharedIndexWriter::snapshot() const {
  const std::lock_guard lock(published_);
  return snapshot_;
}

Status SharedIndexWriter::change(std::span<IndexBatch> batches) {
  Waiting mine{.batches = batches};
  std::unique_lock lock(queue_mutex_);
  queue_.push_back(&mine);
  turned_.wait(lock, [&] { return mine.is_done || queue_.front() == &mine; });
  if (mine.is_done) return mine.status;
  const std::vector<Waiting*> all(queue_.begin(), queue_.end());
  lock.unlock();
  try {
    make_all(all);
  } catch (const std::bad_alloc&) {
    writer_.reset();
    is_unsure_ = true;
    for (Waiting* each : all) each->status = out_of_memory();
  }
  lock.lock();
  queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(all.size()));
  for (Waiting* each : all) each->is_done = true;
  turned_.notify_all();
  return mine.status;
}

/// Makes what several callers want, with as few syncs as their ids and sizes allow.
void SharedIndexWriter::make_all(std::span<Waiting* const> waiting) {
  Status state = make_ready();
  std::vector<Waiting*> uncommitted;
  const auto fail = [&](Status failed) {
    for (Waiting* each : uncommitted) each->status = failed;
    uncommitted.clear();
    writer_.reset();
    is_unsure_ = true;
    state = std::move(failed);
  };
  const auto commit_all = [&] {
    if (Status done = commit(); !done.ok()) return fail(std::move(done));
    uncommitted.clear();
  };
  for (Waiting* each : waiting) {
    for (IndexBatch& batch : each->batches) {
      if (state.ok()) each->status = check(batch);
      if (!each->status.ok()) break;
      if (state.ok() && !goes_along(batch)) commit_all();
      if (!state.ok()) break;
      if (uncommitted.empty() || uncommitted.back() != each) uncommitted.push_back(each);
      if (Status made = make(batch); !made.ok()) fail(std::move(made));
    }
    if (each->status.ok() && !state.ok()) each->status = state;
  }
  if (state.ok()) commit_all();
}

/// Is the index open, and still the one that was opened?
Status SharedIndexWriter::make_ready() {
  if (writer_ != nullptr) {
    const Result<Place> now = place();
    const bool is_here = now.ok() && is_same_file(now.value().lock, place_.lock) &&
                         is_same_file(now.value().manifest, place_.manifest);
    if (is_here) return {};
    writer_.reset();
  }
  return open_writer();
}

Status SharedIndexWriter::open_writer() {
  uncommitted_.clear();
  uncommitted_documents_ = uncommitted_bytes_ = 0;
  TWINSET_ASSIGN(auto writer, IndexWriter::open(context_, index_, verb_));
  const bool is_equal = snapshot_ == nullptr || writer->snapshot().signer().fingerprint() ==
                                                    snapshot_->signer().fingerprint();
  if (replacement_ == Replacement::equal && !is_equal) return replaced();
  writer->merge_in_background();
  TWINSET_TRY(writer->begin_adding(adding_bytes));
  if (is_unsure_) TWINSET_TRY(writer->seal());
  is_unsure_ = false;
  writer_ = std::move(writer);
  return publish();
}

Result<SharedIndexWriter::Place> SharedIndexWriter::place() const {
  Place here;
  TWINSET_ASSIGN(here.lock, context_.files->status(index_ + "/lock"));
  TWINSET_ASSIGN(here.manifest, context_.files->status(manifest_path(index_)));
  return here;
}

/// Shows the index as it is now.
Status SharedIndexWriter::publish() {
  TWINSET_ASSIGN(place_, place());
  auto now = std::make_shared<const IndexSnapshot>(writer_->snapshot());
  const std::lock_guard lock(published_);
  snapshot_ = std::move(now);
  return {};
}

Error SharedIndexWriter::replaced() const {
  return io_error(index_ + " was replaced by an index of other settings; make the change again");
}

/// Are the documents marked as the index marks its own?
Status SharedIndexWriter::check(const IndexBatch& batch) const {
  if (batch.fingerprint == 0 || batch.fingerprint == writer_->snapshot().signer().fingerprint()) {
    return {};
  }
  return replaced();
}

/// May a batch be in one sync with those that wait for theirs? It must find what they have added,
/// and the log takes no more than small changes.
bool SharedIndexWriter::goes_along(const IndexBatch& batch) const {
  if (uncommitted_documents_ == 0) return true;
  const auto is_waiting = [&](std::string_view id) { return uncommitted_.contains(id); };
  const auto adds_waiting = [&](const WholeDocument& whole) {
    return is_waiting(read_whole(whole).id);
  };
  if (std::ranges::any_of(batch.removed, is_waiting)) return false;
  if (std::ranges::any_of(batch.added, adds_waiting)) return false;
  std::uint64_t bytes = 0;
  for (const WholeDocument& whole : batch.added) bytes += whole.memory_bytes();
  return uncommitted_documents_ + batch.removed.size() + batch.added.size() <=
             most_logged_at_once &&
         uncommitted_bytes_ + bytes <= most_logged_bytes_at_once;
}

Status SharedIndexWriter::make(IndexBatch& batch) {
  const IndexChange before = writer_->change();
  batch.was_there.clear();
  for (const std::string& id : batch.removed) {
    TWINSET_ASSIGN(const bool was_there, writer_->remove(id));
    batch.was_there.push_back(was_there);
  }
  for (const WholeDocument& whole : batch.added) {
    const IndexedDocument document = read_whole(whole);
    TWINSET_TRY(writer_->add(document, whole.marks, whole.text));
    uncommitted_.emplace(document.id);
    uncommitted_bytes_ += whole.memory_bytes();
  }
  uncommitted_documents_ += batch.removed.size() + batch.added.size();
  batch.made = difference(writer_->change(), before);
  return {};
}

Status SharedIndexWriter::commit() {
  const bool is_change = uncommitted_documents_ > 0;
  uncommitted_.clear();
  uncommitted_documents_ = uncommitted_bytes_ = 0;
  TWINSET_ASSIGN(const IndexChange made, writer_->commit());
  if (made.not_merged != not_merged_ && !made.not_merged.empty() && context_.progress != nullptr) {
    context_.progress->notice("small segments could not be merged: " + made.not_merged);
  }
  not_merged_ = made.not_merged;
  const bool is_another =
      is_change || writer_->snapshot().manifest().changes != snapshot_->manifest().changes;
  return is_another ? publish() : Status();
}

}  // namespace twinset

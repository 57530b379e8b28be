// An index that many threads change and ask at once, in a process that stays: those who change it
// at the same time share a sync, and each is told of its own change.
//
//   TWINSET_ASSIGN(const auto writer, SharedIndexWriter::open(context, "crawl.index", "serve"));
//   IndexBatch batch;
//   batch.added.push_back(mark_document(signer, view, names));    // by each thread for itself
//   TWINSET_TRY(writer->change({&batch, 1}));                     // durable when it returns
//   const std::shared_ptr<const IndexSnapshot> now = writer->snapshot();
//
// After an error of the disk nobody knows which of the bytes that were not synced it has. So the
// next change opens the index anew and writes what its log has as a segment, from bytes that were
// read and checked, before it makes itself durable.
//
// A folder that was replaced or removed is noticed before each change: what was opened is asked on,
// and the next change is made to the index that stands there then.
//
// Threads: any.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "index/index_log.h"
#include "index/index_writer.h"
#include "index/snapshot.h"
#include "scheme/record_view.h"
#include "system/context.h"
#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

/// A change that is made as a whole or not at all: documents go, then others come.
struct IndexBatch {
  std::uint64_t fingerprint = 0;     ///< of the signer that has marked the documents; 0: of none
  std::vector<std::string> removed;  ///< ids, JSON values
  std::vector<WholeDocument> added;  ///< no id twice
  // Set once it is made:
  IndexChange made{};
  std::vector<bool> was_there{};  ///< by id of `removed`
};

/// A document as an index keeps it. `names` has its id, and the names that it is found by.
WholeDocument mark_document(const IndexSigner& signer, const RecordView& view,
                            IndexedDocument names);

/// Which index may stand in the place of one that was opened.
enum class Replacement : std::uint8_t {
  any,
  equal  ///< in its settings; another one is an error
};

class SharedIndexWriter {
 public:
  /// Errors: as IndexWriter::open(). The context outlives it.
  static Result<std::unique_ptr<SharedIndexWriter>> open(
      const RunContext& context, std::string index, std::string verb,
      Replacement replacement = Replacement::any);
  ~SharedIndexWriter();

  /// The index as the last change left it.
  std::shared_ptr<const IndexSnapshot> snapshot() const;

  /// Makes the changes, in their order. Error (io): those from the first that failed on are not
  /// made, or nobody knows; no change at all if the index cannot be opened. Without a batch it only
  /// looks whether the index is still the one that was opened, opens another in its place, and puts
  /// segments that were merged meanwhile in the place of their sources, as every change does.
  Status change(std::span<IndexBatch> batches);

 private:
  /// Batches of a caller, who waits.
  struct Waiting {
    std::span<IndexBatch> batches;
    bool is_done = false;
    Status status{};
  };
  /// What tells a folder from another one that stands in its place.
  struct Place {
    FileStatus lock;
    FileStatus manifest;
  };

  SharedIndexWriter(const RunContext& context, std::string index, std::string verb,
                    Replacement replacement)
      : context_(context),
        index_(std::move(index)),
        verb_(std::move(verb)),
        replacement_(replacement) {}

  void make_all(std::span<Waiting* const> waiting);
  Status make_ready();
  Status open_writer();
  Result<Place> place() const;
  Status publish();
  Error replaced() const;
  Status check(const IndexBatch& batch) const;
  bool goes_along(const IndexBatch& batch) const;
  Status make(IndexBatch& batch);
  Status commit();

  const RunContext& context_;
  const std::string index_;
  const std::string verb_;
  const Replacement replacement_;

  std::mutex queue_mutex_;
  std::condition_variable turned_;
  std::deque<Waiting*> queue_;  ///< the first one makes the changes of all that are there

  // Of whoever makes changes:
  std::unique_ptr<IndexWriter> writer_;  ///< null: after an error
  bool is_unsure_ = false;               ///< the log may have bytes that the disk has not
  Place place_;
  std::set<std::string, std::less<>> uncommitted_;  ///< ids added since the last commit
  std::uint64_t uncommitted_documents_ = 0;         ///< removed ones, too
  std::uint64_t uncommitted_bytes_ = 0;
  std::string not_merged_;  ///< told last

  mutable std::mutex published_;
  std::shared_ptr<const IndexSnapshot> snapshot_;
};

}  // namespace twinset

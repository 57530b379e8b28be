// An index that a run of dedup compares its documents with, as if it had read those of the index
// before them; and to which it adds what became of its own.
//
//   TWINSET_ASSIGN(auto index, KnownIndex::open(control, options));   // null: they name none
//
//   index->begin(run.job);                                            // before matching
//   index->add(run, options, documents, proofs);                      // once all is decided
//   index->prepare(output, identity);                                 // before the output's rename
//   index->commit();                                                  // and after it
//
// Of the run's documents the kept ones go in; the removed ones, too, with their survivors but
// without their texts, so that whatever is like one of them is led to its survivor, as it would be
// in one run over all. They go in in keep order.
//
// Threads: one at a time.
#pragma once

#include <memory>
#include <string>

#include "dedup/dedup_collection.h"
#include "index/index_writer.h"
#include "run/collection_run.h"
#include "run/known_documents.h"
#include "twinset/dedup.h"
#include "twinset/result.h"

namespace twinset {

class KnownIndex {
 public:
  /// Opens the index of the options, to be changed if they say so, and fills in its analyzer and
  /// scheme. Errors: usage (other references; what an index cannot do), io (as
  /// IndexWriter::open()).
  static Result<std::unique_ptr<KnownIndex>> open(const RunControl& control, DedupOptions& options);

  /// The inputs are known.
  void begin(Job& job);
  /// Are documents added to it?
  bool grows() const { return writer_ != nullptr; }
  /// The resemblance for which its bands were planned.
  const Ratio& planned() const { return snapshot().manifest().settings.resemblance; }
  /// Documents that the index was given so far.
  std::uint64_t serials() const { return snapshot().manifest().serials; }
  /// Tells it from what it was at another time.
  std::string state() const;
  /// Error (usage): a file of the output would lie in the index.
  Status check_apart(const DedupOptions& options) const;
  /// Adds the run's documents; reads the inputs once more. Returns serials() with them.
  Result<std::uint64_t> add(CollectionRun& run, const DedupOptions& options,
                            const DocumentTable& documents, const RowFile<Proof>& proofs);
  Status prepare(const std::string& output, const std::string& identity) {
    return writer_->prepare(output, identity);
  }
  Status commit();

 private:
  const IndexSnapshot& snapshot() const { return writer_ ? writer_->snapshot() : snapshot_; }
  Result<std::size_t> choose_scheme(FileSystem& files, DedupOptions& options) const;

  RunContext context_;
  std::unique_ptr<IndexWriter> writer_;  ///< if documents are added
  IndexSnapshot snapshot_;               ///< else
  std::unique_ptr<KnownDocuments> known_;
};

}  // namespace twinset

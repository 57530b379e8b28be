// A collector gathers something of each document in a pass over a collection. The stores of dedup
// and cluster are collectors, and so is plan's sample; a pass serves any set of them.
//
//   class Lengths final : public CollectorOf<LengthRows> {
//     Status take(const ReadRecord& record, LengthRows& rows) const override { ... }
//     Status put(LengthRows& rows) override { ... }
//   };
//
// A worker makes the rows of a batch: it calls begin(), then take() for each record of the batch,
// then add(). put() follows in input order. All collectors share one view of a record, so tokens or
// shingles that several of them need are made once. The next batch is put only after put() returns.
//
// Threads: take() and add() from any, each with rows of its own; put() one at a time; all others
// one at a time, and not while add() runs.
#pragma once

#include <cstdint>
#include <memory>

#include "base/document.h"
#include "io/record.h"
#include "join/fate.h"
#include "run/workspace.h"
#include "scheme/record_view.h"
#include "twinset/result.h"

namespace twinset {

class ShardFolder;  // run/shard.h

/// The lines of a source that a batch covers: (first_line, last_line]. Lines without a record are
/// blank.
struct BatchPlace {
  std::uint64_t source = 0;
  std::uint64_t first_line = 0;
  std::uint64_t last_line = 0;
};

/// One record of a pass.
struct ReadRecord {
  DocumentId id;
  const Record& record;
  Fate fate;  ///< kept: a document; else bad, carried, or filtered
  /// Of the record, unless that is bad or carried.
  const RecordView& view;
  /// Documents meet only those of their part: a hash of the value of CollectionOptions::within; 0
  /// without that option.
  std::uint64_t part = 0;

  bool is_document() const { return fate == Fate::kept; }
};

class Collector {
 public:
  /// What a worker makes of a batch. Reused: buffers keep their capacity.
  class Rows {
   public:
    virtual ~Rows() = default;
    /// Forgets the last batch.
    virtual void begin(const BatchPlace& place) = 0;
    /// Frees the memory that a long record took.
    virtual void release_large() = 0;
  };

  virtual ~Collector() = default;
  virtual std::unique_ptr<Rows> rows() const = 0;
  /// An Error ends the pass: that of the first record in input order, once all rows made before it
  /// are put.
  virtual Status take(const ReadRecord& record, Rows& rows) const = 0;
  /// May be called long before the batch is put, so a checkpoint can have rows that a resumed run
  /// adds again: equal rows must count once.
  virtual Status add(Rows& /*rows*/) { return {}; }
  virtual Status put(Rows& /*rows*/) { return {}; }

  /// Starts empty, or from `checkpoint` if not null. Call it first.
  virtual Status open(const StateFile* checkpoint) = 0;
  /// Makes all rows so far durable and notes in `file` what open() will need. Call
  /// StateFile::keep_file() for each file that this relies on.
  virtual Status checkpoint(StateFile& file) = 0;
  /// Adds all that the collector of a shard has, which has read the next inputs.
  virtual Status take_over(const ShardFolder& /*shard*/) {
    return usage_error("this run reads more than the shards of one have");
  }
  /// Bytes in files.
  virtual std::uint64_t stored_bytes() const { return 0; }
};

/// A collector whose rows are of one class.
template <class RowsType>
class CollectorOf : public Collector {
 public:
  std::unique_ptr<Rows> rows() const final { return std::make_unique<RowsType>(); }
  Status take(const ReadRecord& record, Rows& rows) const final {
    return take(record, static_cast<RowsType&>(rows));
  }
  Status add(Rows& rows) final { return add(static_cast<RowsType&>(rows)); }
  Status put(Rows& rows) final { return put(static_cast<RowsType&>(rows)); }

 protected:
  virtual Status take(const ReadRecord& record, RowsType& rows) const = 0;
  virtual Status add(RowsType& /*rows*/) { return {}; }
  virtual Status put(RowsType& /*rows*/) { return {}; }
};

}  // namespace twinset

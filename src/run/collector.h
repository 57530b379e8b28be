// A collector: what a pass over a collection leaves of each document. The stores of dedup and
// cluster are collectors, and so is plan's sample; a pass takes any set of them.
//
//   class Lengths final : public CollectorOf<LengthRows> {
//     void take(const ReadRecord& record, LengthRows& rows) const override { ... }
//     Status put(LengthRows& rows) override { ... }
//   };
//
// A worker makes the rows of a batch: begin(), then take() for each of its records. Then add()
// comes, at any time, and put(), in input order. All collectors see one view of a record, so
// whatever two of them ask for is made once. A collector may answer in put(): the pass goes on
// to the next batch only after it.
//
// Threads: take() and add() from any, each with rows of its own; all others one at a time, and
// not beside add().
#pragma once

#include <cstdint>
#include <memory>

#include "base/document.h"
#include "collection/record_view.h"
#include "io/record.h"
#include "join/fate.h"
#include "run/workspace.h"
#include "twinset/result.h"

namespace twinset {

/// The lines of a source that a batch covers: those after first_line up to last_line. Lines
/// without a record are blank.
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
  /// Looks at the record, unless that is bad or carried.
  const RecordView& view;

  bool is_document() const { return fate == Fate::kept; }
};

class Collector {
 public:
  /// What a worker has made of a batch. Reused: buffers keep their capacity.
  class Rows {
   public:
    virtual ~Rows() = default;
    /// Forgets the last batch.
    virtual void begin(const BatchPlace& place) = 0;
    /// Gives back the memory that a long record took.
    virtual void release_large() = 0;
  };

  virtual ~Collector() = default;
  virtual std::unique_ptr<Rows> rows() const = 0;
  virtual void take(const ReadRecord& record, Rows& rows) const = 0;
  /// Rows may come before their batch is put. What a checkpoint then holds too much is added
  /// again by the run that goes on, so equal rows must count once.
  virtual Status add(Rows& /*rows*/) { return {}; }
  virtual Status put(Rows& /*rows*/) { return {}; }

  /// Begins anew, or where `checkpoint` says that the collector stood. Call it first.
  virtual Status open(const StateFile* checkpoint) = 0;
  /// Makes durable what was put and added so far, and notes what open() will need; each file
  /// that it relies on is noted by StateFile::keep_file().
  virtual Status checkpoint(StateFile& file) = 0;
  /// Bytes in files.
  virtual std::uint64_t stored_bytes() const { return 0; }
};

/// A collector whose rows are of one class.
template <class RowsType>
class CollectorOf : public Collector {
 public:
  std::unique_ptr<Rows> rows() const final { return std::make_unique<RowsType>(); }
  void take(const ReadRecord& record, Rows& rows) const final {
    take(record, static_cast<RowsType&>(rows));
  }
  Status add(Rows& rows) final { return add(static_cast<RowsType&>(rows)); }
  Status put(Rows& rows) final { return put(static_cast<RowsType&>(rows)); }

 protected:
  virtual void take(const ReadRecord& record, RowsType& rows) const = 0;
  virtual Status add(RowsType& /*rows*/) { return {}; }
  virtual Status put(RowsType& /*rows*/) { return {}; }
};

}  // namespace twinset

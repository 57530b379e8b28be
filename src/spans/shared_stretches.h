// Runs of N tokens that texts share, a stretch at a time: where several texts have all runs of an
// anchor, these are one row for each text, and no row for each run.
//
// The runs that chose one anchor of a text are a stretch. Stretches of equal tokens are a class,
// and all of a class have the same runs at the same distances. So:
//
// 1. Each stretch is a row, and the first of a class, or the first in a while, tells its runs.
// 2. Runs that two or more classes have are brought together. Where the same classes share one run
//    after the other, these are one part.
// 3. A class is cut into parts that it shares, and those that it alone has. Each stretch gives a
//    row for each part, with the part's key.
//
//   SharedStretches stretches(options, run_tokens);
//   SharedStretches::Adder adder(stretches);
//   adder.add(text, tokens, part, {{3, 20}, {23, 11}});     // one for each thread
//   adder.finish();
//   stretches.settle(rows);                                 // rows by part, for each_group()
//
// What is shared, and with whom, is as if each run had a row of its own: runs are told apart by 128
// bits, and so are classes.
//
// Threads: an Adder belongs to one; settle() uses the job's.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "join/run_hash.h"
#include "rows/appender.h"
#include "rows/rows.h"
#include "system/context.h"
#include "twinset/result.h"

namespace twinset {

/// Runs of a text that stand at [begin, begin + runs), and that other texts, or this one, have side
/// by side, too.
struct RunStretch {
  Key128 key;              ///< of what they are
  std::uint32_t text = 0;  ///< its number
  std::uint32_t begin = 0;
  std::uint32_t runs = 0;
  std::uint32_t unused = 0;
};
using RunStretchRows = PartitionedRows<RunStretch>;

/// Keeps each row of a store.
struct AllRows {
  template <class Row>
  bool operator()(const Row&) const {
    return true;
  }
};

/// Orders by place.
struct ByStretchPlace {
  bool operator()(const RunStretch& a, const RunStretch& b) const {
    return a.text != b.text ? a.text < b.text : a.begin < b.begin;
  }
};

/// Runs that chose one anchor begin at [first_run, first_run + runs).
struct AnchorRuns {
  std::uint32_t first_run = 0;
  std::uint32_t runs = 0;
};

class SharedStretches {
 public:
  /// A run of a class of stretches.
  struct ClassRun {
    Key128 key;         ///< of the run
    Key128 of_stretch;  ///< of its class
    std::uint32_t at = 0;
    std::uint32_t unused = 0;
  };
  /// A run of a class that others have, too, or a stretch of the class.
  struct ClassRow {
    Key128 key;              ///< of the class
    Key128 run;              ///< its own
    std::uint64_t with = 0;  ///< who has it, and how far from here
    std::uint32_t is_stretch = 0;
    std::uint32_t text = 0;   ///< of a stretch
    std::uint32_t begin = 0;  ///< of a stretch in its text, of a run in the class
    std::uint32_t runs = 0;   ///< of a stretch
  };

  /// `options`: for all rows. A third of the memory is for runs, the rest for stretches.
  SharedStretches(const RowsOptions& options, unsigned run_tokens);

  class Adder {
   public:
    explicit Adder(SharedStretches& all);
    /// Adds the stretches of a text, in order, apart or side by side; they end within the tokens.
    /// `part` tells texts apart that do not meet.
    Status add(std::uint32_t text, std::span<const std::uint64_t> tokens, std::uint64_t part,
               std::span<const AnchorRuns> stretches);
    Status finish();

   private:
    Status add_stretch(std::uint32_t text, std::uint32_t begin);

    RunHasher hasher_;
    std::vector<Key128> runs_;  ///< of the stretch
    std::vector<std::atomic<std::uint64_t>>& known_;
    Appender<PartitionedRows<ClassRun>, ClassRun> class_runs_;
    Appender<PartitionedRows<ClassRow>, ClassRow> class_rows_;
  };

  /// Appends the rows of all stretches to `out`, and drops what was added.
  Status settle(RunStretchRows& out);
  std::uint64_t spilled_bytes() const { return spilled_bytes_; }

 private:
  RowsOptions options_;
  unsigned run_tokens_;
  std::vector<std::atomic<std::uint64_t>> known_;  ///< classes that told their runs, by their keys
  std::unique_ptr<PartitionedRows<ClassRun>> class_runs_;
  std::unique_ptr<PartitionedRows<ClassRow>> class_rows_;
  std::uint64_t spilled_bytes_ = 0;
};

}  // namespace twinset

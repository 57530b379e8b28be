// How a run divides its memory: a share for each worker, a share for large and rare things
// (a long record, the window of a zstd frame), and the rest for rows.
//
//   const MemoryPlan plan = MemoryPlan::make(budget, threads, max_record_bytes);
//   if (plan.large_bytes_of(record_bytes, window_bytes) > plan.large) ...  // does not fit
//
// A budget is refused only when a record or window that the run meets does not fit.
// --max-record says which records are read; it is not a reason to refuse a budget.
//
// Threads: a value.
#pragma once

#include <cstdint>
#include <string>

#include "twinset/result.h"

namespace twinset {

struct MemoryPlan {
  std::uint64_t budget = UINT64_MAX;  ///< --memory
  unsigned threads = 1;               ///< 0: as many as fit into the budget
  std::uint64_t max_record_bytes = 0;
  std::uint64_t window_bytes = 0;                   ///< that the inputs are known to ask for
  std::uint64_t worker = std::uint64_t{512} << 20;  ///< each worker's share
  std::uint64_t large = UINT64_MAX / 2;
  std::uint64_t rows = UINT64_MAX / 2;

  /// The smallest budget for so many threads: 64 MiB, and 32 MiB a thread.
  static std::uint64_t floor(unsigned threads);
  /// `budget` is at least floor(threads).
  /// `window_bytes`: the widest that the inputs are known to ask for.
  static MemoryPlan make(std::uint64_t budget, unsigned threads, std::uint64_t max_record_bytes,
                         std::uint64_t window_bytes = 0);
  /// The threads that fit into `budget`; at least one.
  static unsigned threads_in(std::uint64_t budget);

  /// All workers may hold records of up to this size at once; longer ones go one at a time.
  std::uint64_t steady_record_bytes() const;
  /// The longest record that fits.
  std::uint64_t most_record_bytes() const;
  /// The widest window that fits.
  std::uint64_t most_window_bytes() const;
  /// The part of `large` that a record and the window it is read through take.
  std::uint64_t large_bytes_of(std::uint64_t record_bytes, std::uint64_t window_bytes) const;

  /// Gives the rest of the share for large things to the rows, once large things are known to take
  /// only `large_bytes`.
  void release_large(std::uint64_t large_bytes);

  /// The least budget with so many bytes for large things; more than this one if that has too few.
  std::uint64_t budget_for_large(std::uint64_t large_bytes) const;
  /// The same for budgets that leave `row_bytes` for rows if large things take `large_bytes`;
  /// UINT64_MAX: all of their share.
  std::uint64_t budget_for_rows(std::uint64_t row_bytes, std::uint64_t large_bytes) const;

  /// "--memory 134 MB is too little: WHAT needs 335544320 bytes (336 MB)"; says what else
  /// would help.
  Error too_little(const std::string& what, std::uint64_t needed, const std::string& remedy) const;
};

}  // namespace twinset

// Rows in any order, out of core: sorted runs, merged as they are read.
//
//   SortedRows<Pair, PairLess> pairs(options);
//   pairs.append(batch);                  // any thread
//   pairs.seal();
//   auto cursor = pairs.read();           // as often as wanted
//   while (const Pair* pair = cursor.value()->peek()) { ...; cursor.value()->advance(); }
//
// Of equal rows one is kept. More runs than one merge can hold are merged in passes
// (rows/sorter.h). The rows read depend only on the rows added.
//
// Threads: append() from any; read() from any after seal().
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "rows/cursor.h"
#include "rows/merge.h"
#include "rows/options.h"
#include "rows/sort.h"
#include "rows/sorter.h"

namespace twinset {

template <PlainRow Row, class Less>
class SortedRows final : public Sorter {
 public:
  /// A smaller options.memory_bytes counts as this.
  static constexpr std::uint64_t least_memory(unsigned threads) {
    return least_bytes(threads, sizeof(Row));
  }

  explicit SortedRows(const RowsOptions& options, Less less = {})
      : Sorter(options, sizeof(Row)), less_(std::move(less)) {}

  Status append(const Row& row) { return append(std::span<const Row>(&row, 1)); }
  /// Adds rows. Errors: of writing a run (then the store is lost), interrupted.
  Status append(std::span<const Row> rows) { return append_bytes(std::as_bytes(rows)); }

  /// All rows in order. The store must outlive the cursor, which holds at most a quarter of
  /// memory_bytes.
  Result<std::unique_ptr<RowCursor<Row>>> read() const {
    TWINSET_ASSIGN(OpenRuns runs, open_runs());
    return merged(std::move(runs));
  }

 private:
  std::size_t sort(std::byte* rows, std::size_t count) const override {
    const std::span<Row> all(reinterpret_cast<Row*>(rows), count);
    sort_rows(all, less_);
    return keep_one_of_equal(all, less_);
  }

  Status merge(OpenRuns runs, RunWriter& out) const override {
    return for_each_row(*merged(std::move(runs)), [&](const Row& row) { return out.add(row); });
  }

  std::unique_ptr<RowCursor<Row>> merged(OpenRuns runs) const {
    if (runs.runs.size() == 1) return std::make_unique<RunCursor<Row>>(context(), std::move(runs));
    return std::make_unique<MergeCursor<Row, Less>>(context(), std::move(runs), less_);
  }

  Less less_;
};

}  // namespace twinset

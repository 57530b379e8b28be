// Rows pulled one at a time out of memory, blocks or a merge.
//
//   while (const Row* row = cursor.peek()) { use(*row); cursor.advance(); }
//   if (!cursor.status().ok()) return cursor.status();
// or, of a whole store,
//   TWINSET_TRY(for_each_row(edges, [&](const Edge& edge) { count += edge.link.shared; }));
//
// Rows come in batches internally: only a new batch costs a virtual call.
//
// Threads: one at a time.
#pragma once

#include <type_traits>

#include "rows/options.h"
#include "twinset/result.h"

namespace twinset {

template <PlainRow Row>
class RowCursor {
 public:
  virtual ~RowCursor() = default;

  /// The next row; nullptr at the end or at an Error, which status() tells apart. Valid until the
  /// next peek() or next() after an advance.
  const Row* peek() {
    if (at_ != end_) [[likely]] {
      return at_;
    }
    return more() ? at_ : nullptr;
  }
  /// Steps over the row that peek() returned.
  void advance() { ++at_; }
  const Status& status() const { return status_; }

  /// peek() and advance() in one; nullptr at the end.
  Result<const Row*> next() {
    const Row* const row = peek();
    if (row != nullptr) {
      ++at_;
    } else if (!status_.ok()) {
      return status_.error();
    }
    return row;
  }

 protected:
  /// Shows the next batch, valid until the next refill(); false at the end.
  virtual Result<bool> refill() = 0;
  void show(const Row* begin, const Row* end) {
    at_ = begin;
    end_ = end;
  }

 private:
  bool more() {
    while (at_ == end_ && !ended_) {
      show(nullptr, nullptr);
      const Result<bool> filled = refill();
      if (!filled.ok()) status_ = filled.error();
      ended_ = !filled.ok() || !filled.value();
      if (ended_) show(nullptr, nullptr);
    }
    return at_ != end_;
  }

  const Row* at_ = nullptr;
  const Row* end_ = nullptr;
  Status status_;
  bool ended_ = false;
};

/// Calls `use(row)`, which returns a Status or nothing, for each remaining row of the cursor.
template <PlainRow Row, class Use>
Status for_each_row(RowCursor<Row>& cursor, Use&& use) {
  while (const Row* row = cursor.peek()) {
    if constexpr (std::is_void_v<std::invoke_result_t<Use&, const Row&>>) {
      use(*row);
    } else {
      TWINSET_TRY(use(*row));
    }
    cursor.advance();
  }
  return cursor.status();
}

/// The same for each row of a store or file, from its beginning.
template <class Rows, class Use>
requires requires(const Rows& rows) { rows.read(); }
Status for_each_row(const Rows& rows, Use&& use) {
  TWINSET_ASSIGN(const auto cursor, rows.read());
  return for_each_row(*cursor, use);
}

}  // namespace twinset

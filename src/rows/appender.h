// Appends rows to a store, some thousand at a time: a row alone costs a lock.
//
//   Appender<SharedPairStore, SharedPair> out(store);
//   out.add(pair);
//   out.finish();
//
// Threads: one. Many may each append to one store.
#pragma once

#include <cstddef>
#include <vector>

#include "rows/options.h"
#include "twinset/result.h"

namespace twinset {

template <class Store, PlainRow Row>
class Appender {
 public:
  /// The store must outlive this.
  explicit Appender(Store& store) : store_(store) { rows_.reserve(most_rows); }

  /// Errors: as Store::append().
  Status add(const Row& row) {
    rows_.push_back(row);
    return rows_.size() < most_rows ? Status() : finish();
  }
  /// Appends the rows that are still here. Errors: as Store::append().
  Status finish() {
    TWINSET_TRY(store_.append(rows_));
    rows_.clear();
    return {};
  }

 private:
  static constexpr std::size_t most_rows = 4096;

  Store& store_;
  std::vector<Row> rows_;
};

}  // namespace twinset

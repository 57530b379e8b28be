// The number of times each key was added: document frequencies, if each document adds each of
// its terms once. Out of core, in the store's memory.
//
//   PartitionedRows<Frequency<Key128>> terms(options);
//   terms.append(rows);               // {.key = term} for each term of a document
//   TWINSET_TRY(add_up(terms, out));  // each key once, with its count; out is a SortedRows
//
// The counts of shards, appended to one store and added up again, are those of the whole.
//
// Threads: as PartitionedRows::for_each_group.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rows/partitioned_rows.h"

namespace twinset {

template <RowKey Key>
struct Frequency {
  Key key{};
  std::uint64_t count = 1;
  auto operator<=>(const Frequency&) const = default;
};

/// The Combine of frequencies.
struct AddCounts {
  template <class Row>
  void operator()(Row& sum, const Row& other) const {
    sum.count += other.count;
  }
};

/// Appends each key of `rows` once, with the sum of its counts, to `out`: a store whose append()
/// may be called from any thread.
template <Keyed Row, class Out>
Status add_up(PartitionedRows<Row>& rows, Out& out) {
  class Visitor {
   public:
    explicit Visitor(Out& out) : out_(out) {}
    Status row(const Row& sum, bool) {
      sums_.push_back(sum);
      return sums_.size() < 4096 ? Status() : finish();
    }
    Status finish() {
      TWINSET_TRY(out_.append(std::span<const Row>(sums_)));
      sums_.clear();
      return {};
    }

   private:
    Out& out_;
    std::vector<Row> sums_;
  };
  return rows.for_each_group([](const Row&) { return true; }, AllEqual(),
                             [&](unsigned) { return Visitor(out); }, Groups::all, AddCounts());
}

}  // namespace twinset

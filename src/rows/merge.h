// Sorted runs as one: each run is rows in memory or blocks of a file. Of rows equal under Less one
// stays.
//
// Where the order begins with a number (rows/sort.h), the next rows of all runs below some number
// are gathered and sorted by their digits, which waits for no comparison. Else, and where too many
// rows have one number, a tree of losers (Knuth, volume 3, 5.4.1) finds the next row in log2(runs)
// comparisons.
//
// Threads: one at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "rows/cursor.h"
#include "rows/sort.h"
#include "rows/sorter.h"
#include "system/context.h"

namespace twinset {

/// Keeps one of two equal rows: the one whose bytes sort first, so the order in which they come
/// does not matter.
template <PlainRow Row>
void keep_least(Row& kept, const Row& other) {
  if (std::memcmp(&other, &kept, sizeof(Row)) < 0) kept = other;
}

/// Of sorted rows, those that stay, at the begin; returns how many they are.
template <PlainRow Row, class Less>
std::size_t keep_one_of_equal(std::span<Row> rows, const Less& less) {
  Row* kept = rows.data();
  for (const Row& row : rows.subspan(1)) {
    if (less(*kept, row)) {
      *++kept = row;
    } else {
      keep_least(*kept, row);
    }
  }
  return static_cast<std::size_t>(kept + 1 - rows.data());
}

/// One run, unmerged: its batches as they are.
template <PlainRow Row>
class RunCursor final : public RowCursor<Row> {
 public:
  RunCursor(const RunContext& context, OpenRuns runs) : context_(context), runs_(std::move(runs)) {
    show_batch();
  }

 private:
  Result<bool> refill() override {
    TWINSET_TRY(context_.check_cancelled());
    const Result<bool> loaded = runs_.runs[0].load();
    if (loaded.ok() && loaded.value()) show_batch();
    return loaded;
  }
  void show_batch() {
    const std::span<const Row> rows = runs_.runs[0].template batch<Row>();
    this->show(rows.data(), rows.data() + rows.size());
  }

  const RunContext& context_;
  OpenRuns runs_;
};

/// Two or more runs, merged.
template <PlainRow Row, class Less>
class MergeCursor final : public RowCursor<Row> {
 public:
  /// The number of rows merged ahead of the caller.
  static constexpr std::size_t batch_rows = std::max<std::size_t>(1, 32768 / sizeof(Row));
  /// Rows of each run that are worth gathering.
  static constexpr std::size_t least_gathered = 8;

  MergeCursor(const RunContext& context, OpenRuns runs, Less less)
      : context_(context),
        runs_(std::move(runs.runs)),
        buffers_(std::move(runs.buffers)),
        less_(std::move(less)),
        merged_(batch_rows) {
    if constexpr (HasRadix<Less, Row>) sorter_.emplace(less_);
  }

 private:
  struct Head {
    const Row* at = nullptr;
    const Row* end = nullptr;
  };
  static constexpr std::size_t nobody = ~std::size_t{0};

  Result<bool> refill() override {
    TWINSET_TRY(context_.check_cancelled());
    if (heads_.empty()) TWINSET_TRY(begin());
    std::size_t count = 0;
    if constexpr (HasRadix<Less, Row>) {
      if (share() >= least_gathered) count = gather();
      if (count > 0) {
        this->show(merged_.data(), merged_.data() + count);
        return true;
      }
      if (!tree_stands_) stand_tree();
    }
    while (count < batch_rows && !exhausted(winner_) && !may_gather(count)) {
      Row& row = merged_[count];
      row = *heads_[winner_].at;
      TWINSET_TRY(step());
      // The winner never precedes `row`, so it is equal unless `row` precedes it.
      while (!exhausted(winner_) && !less_(row, *heads_[winner_].at)) {
        keep_least(row, *heads_[winner_].at);
        TWINSET_TRY(step());
      }
      ++count;
    }
    this->show(merged_.data(), merged_.data() + count);
    return count > 0;
  }

  std::size_t share() const { return batch_rows / runs_.size(); }

  /// The tree has given all rows of one number, so that others may be gathered again.
  bool may_gather(std::size_t count) const {
    if constexpr (HasRadix<Less, Row>) {
      return count > 0 && share() >= least_gathered &&
             less_.radix(*heads_[winner_].at) != less_.radix(merged_[count - 1]);
    }
    return false;
  }

  /// Replaces merged_ by the next rows of all runs whose number is below one that a run has within
  /// its share of a batch, so that each run keeps a row; returns how many they are. None if too
  /// many have one number.
  std::size_t gather() requires HasRadix<Less, Row> {
    std::uint64_t below = UINT64_MAX;
    for (const Head& head : heads_) {
      const auto left = static_cast<std::size_t>(head.end - head.at);
      if (left > 0) below = std::min(below, less_.radix(head.at[std::min(left, share()) - 1]));
    }
    std::size_t count = 0;
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      Head& head = heads_[run];
      for (; head.at != head.end && less_.radix(*head.at) < below; ++head.at) {
        merged_[count++] = *head.at;
      }
    }
    if (count == 0) return count;
    tree_stands_ = false;
    const std::span<Row> rows = std::span(merged_).first(count);
    sorter_->sort(rows);
    return keep_one_of_equal(rows, less_);
  }

  bool exhausted(std::size_t run) const { return heads_[run].at == nullptr; }

  bool beats(std::size_t a, std::size_t b) const {
    if (exhausted(a)) return false;
    if (exhausted(b)) return true;
    return less_(*heads_[a].at, *heads_[b].at);
  }

  Status fill(std::size_t run) {
    RunReader& reader = runs_[run];
    if (reader.batch<Row>().empty() || heads_[run].at != nullptr) {
      TWINSET_TRY(reader.load());
    }
    const std::span<const Row> batch = reader.batch<Row>();
    heads_[run] = batch.empty() ? Head{} : Head{batch.data(), batch.data() + batch.size()};
    return {};
  }

  Status begin() {
    heads_.resize(runs_.size());
    for (std::size_t run = 0; run < runs_.size(); ++run) TWINSET_TRY(fill(run));
    stand_tree();
    return {};
  }

  void stand_tree() {
    losers_.assign(runs_.size(), nobody);
    for (std::size_t run = 0; run < runs_.size(); ++run) replay(run);
    tree_stands_ = true;
  }

  /// Consumes the winner's row and finds the next winner.
  Status step() {
    Head& head = heads_[winner_];
    if (++head.at == head.end) TWINSET_TRY(fill(winner_));
    replay(winner_);
    return {};
  }

  void replay(std::size_t run) {
    std::size_t winner = run;
    for (std::size_t node = (run + runs_.size()) / 2; node > 0; node /= 2) {
      std::size_t& loser = losers_[node];
      if (loser == nobody) {  // Only while the tree is built: wait here for a rival.
        loser = winner;
        return;
      }
      if (beats(loser, winner)) std::swap(loser, winner);
    }
    winner_ = winner;
  }

  const RunContext& context_;
  std::vector<RunReader> runs_;
  Region buffers_;
  Less less_;
  std::vector<Row> merged_;
  std::vector<Head> heads_;
  std::vector<std::size_t> losers_;
  std::size_t winner_ = 0;
  bool tree_stands_ = false;  ///< of the heads as they are
  struct None {};
  std::conditional_t<HasRadix<Less, Row>, std::optional<RadixSorter<Row, Less>>, None> sorter_;
};

}  // namespace twinset

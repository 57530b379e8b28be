// Sorted runs as one: each run is rows in memory or blocks of a file, and a tree
// of losers (Knuth, volume 3, 5.4.1) finds the next row in log2(runs)
// comparisons. Of rows equal under Less one stays.
//
// Threads: one at a time.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "rows/cursor.h"
#include "rows/sorter.h"
#include "system/context.h"

namespace twinset {

/// Keeps one of two equal rows: the one whose bytes sort first, so the order in which they come
/// does not matter.
template <PlainRow Row>
void keep_least(Row& kept, const Row& other) {
  if (std::memcmp(&other, &kept, sizeof(Row)) < 0) kept = other;
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
  static constexpr std::size_t batch_rows = std::max<std::size_t>(1, 16384 / sizeof(Row));

  MergeCursor(const RunContext& context, OpenRuns runs, Less less)
      : context_(context),
        runs_(std::move(runs.runs)),
        buffers_(std::move(runs.buffers)),
        less_(std::move(less)),
        merged_(batch_rows) {}

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
    while (count < batch_rows && !exhausted(winner_)) {
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
    losers_.assign(runs_.size(), nobody);
    for (std::size_t run = 0; run < runs_.size(); ++run) replay(run);
    return {};
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
};

}  // namespace twinset

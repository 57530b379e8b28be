// Shared by the tests of join: documents in sources, row stores in a scratch folder, and the
// contents of stores as plain vectors.
//
// Threads: one thread at a time, unless a function says otherwise.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "base/hash.h"
#include "join/candidates.h"
#include "join/documents.h"
#include "join/edges.h"
#include "rows/rows.h"
#include "support/scratch_folder.h"
#include "system/context.h"

namespace twinset::testing {

/// A folder for spills, with its context and options.
class SpillFolder {
 public:
  explicit SpillFolder(unsigned threads = 1) {
    context_.files = &disk();
    context_.threads = threads;
    context_.tmp = folder_.path();
  }
  const RunContext& context() const { return context_; }
  RunContext& context() { return context_; }
  RowsOptions options(const std::string& name, std::uint64_t memory_bytes = 1 << 20) const {
    return {.context = &context_, .path = folder_ / name, .memory_bytes = memory_bytes};
  }

 private:
  ScratchFolder folder_;
  RunContext context_;
};

/// A table over sources with these numbers of lines and a random order below `orders` for each
/// document (0: input order); references have order 0.
inline DocumentTable random_table(std::span<const std::uint64_t> lines,
                                  std::uint64_t reference_sources, std::uint64_t orders,
                                  std::mt19937_64& random) {
  DocumentTable table(lines, reference_sources);
  if (orders == 0) return table;
  table.use_orders();
  for (std::uint64_t i = 0; i < table.size(); ++i) {
    if (!table.reference(table.document(i))) table.set_order(i, 1 + random() % orders);
  }
  return table;
}

/// All documents of a table in keep order.
inline std::vector<std::uint64_t> keep_order_of(const DocumentTable& table) {
  std::vector<std::uint64_t> indexes(table.size());
  for (std::uint64_t i = 0; i < indexes.size(); ++i) indexes[i] = i;
  std::sort(indexes.begin(), indexes.end(), [&](std::uint64_t a, std::uint64_t b) {
    return table.place_at(a) < table.place_at(b);
  });
  return indexes;
}

/// All rows of a cursor; fails the test if it fails.
template <class Row>
std::vector<Row> all_rows(Result<std::unique_ptr<RowCursor<Row>>> cursor) {
  std::vector<Row> rows;
  EXPECT_TRUE(cursor.ok());
  if (!cursor.ok()) return rows;
  for (;;) {
    Result<const Row*> next = cursor.value()->next();
    EXPECT_TRUE(next.ok());
    if (!next.ok() || next.value() == nullptr) return rows;
    rows.push_back(*next.value());
  }
}

/// A cursor over the rows of a vector, a few at a time.
template <class Row>
class VectorCursor final : public RowCursor<Row> {
 public:
  explicit VectorCursor(std::vector<Row> rows, std::size_t step = 1000)
      : rows_(std::move(rows)), step_(step) {}

 private:
  Result<bool> refill() override {
    if (at_ == rows_.size()) return false;
    const std::size_t end = std::min(rows_.size(), at_ + step_);
    this->show(rows_.data() + at_, rows_.data() + end);
    at_ = end;
    return true;
  }
  std::vector<Row> rows_;
  std::size_t step_;
  std::size_t at_ = 0;
};

/// Divides rows into shards by a number of each row.
template <class Row, class Of>
std::vector<std::vector<Row>> shards_of(const std::vector<Row>& rows, std::size_t count, Of of) {
  std::vector<std::vector<Row>> shards(count);
  for (const Row& row : rows) shards[mix64(of(row)) % count].push_back(row);
  return shards;
}

/// Fills a store with key rows in random order and in batches of random sizes.
template <class Row>
void append_shuffled(PartitionedRows<Row>& store, std::vector<Row> rows, std::mt19937_64& random) {
  std::shuffle(rows.begin(), rows.end(), random);
  for (std::size_t at = 0; at < rows.size();) {
    const std::size_t count = std::min<std::size_t>(rows.size() - at, 1 + random() % 2000);
    ASSERT_TRUE(store.append(std::span(rows).subspan(at, count)).ok());
    at += count;
  }
}

/// Groups the rows that `keep` accepts, added in random order, and calls `use` with each group as a
/// span.
template <class Row, class Keep, class Less, class Use>
void for_each_span(const std::vector<Row>& rows, Keep keep, Less less, std::mt19937_64& random,
                   Use use) {
  class Visitor {
   public:
    explicit Visitor(Use& use) : use_(use) {}
    Status row(const Row& row, bool first) {
      if (first) TWINSET_TRY(finish());
      group_.push_back(row);
      return {};
    }
    Status finish() {
      if (!group_.empty()) use_(std::span<const Row>(group_));
      group_.clear();
      return {};
    }

   private:
    Use& use_;
    std::vector<Row> group_;
  };
  const SpillFolder spill;
  PartitionedRows<Row> store(spill.options("spans", 1 << 16));
  append_shuffled(store, rows, random);
  ASSERT_TRUE(store.for_each_group(keep, less, [&](unsigned) { return Visitor(use); }).ok());
}

}  // namespace twinset::testing

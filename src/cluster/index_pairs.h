// The pairs of all documents of an index, found by the keys that it holds: no input is read again,
// and pairs of an earlier run over the same index are taken over (B 4.2).
//
//   IndexPairs pairs(snapshot, {query, rows});
//   TWINSET_TRY(pairs.fold());                                   // copies
//   TWINSET_TRY(pairs.take_over(files, "groups", serials_before));
//   TWINSET_ASSIGN(const auto found, pairs.find());              // by serials
//
// Documents are numbered by their serials. A copy of an earlier document, of equal tokens, makes no
// pair: that one stands for it. Hidden documents make none either.
//
// Memory: 5 bytes a serial, a bit a document for each thread, and the rows.
//
// Threads: one call at a time; find() uses the context's threads. The pairs do not depend on their
// number.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/pair_lines.h"
#include "index/find.h"
#include "index/snapshot.h"
#include "join/shared_keys.h"
#include "rows/rows.h"
#include "system/context.h"
#include "twinset/result.h"

namespace twinset {

/// In the folder of a run over an index, a line of pairs.jsonl.zst for each of some documents, by
/// which a later run knows that index again.
inline constexpr std::string_view known_documents = "index.jsonl.zst";

struct IndexPairsSettings {
  PairQuery query;  ///< without `left_out`
  RowsOptions rows;
};

class IndexPairs {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;

  IndexPairs(const IndexSnapshot& snapshot, IndexPairsSettings settings);

  static std::uint64_t bytes_needed(std::uint64_t serials, unsigned threads) {
    return serials * 5 + serials / 8 * threads;
  }

  /// Finds the documents that others stand for, and the one that stands for each.
  Status fold();
  /// Takes the pairs over that are in the folder of an earlier run, of the index when it had
  /// `serials`: only documents that stand alone since then are asked for. Errors: usage (the folder
  /// is of another index), io. Before find(), if at all.
  Status take_over(FileSystem& files, const std::string& folder, std::uint64_t serials);
  Result<std::unique_ptr<SharedPairStore>> find();

  /// By serial, after fold(): the document that stands for it, `none` if it stands for itself or is
  /// no document.
  const std::vector<std::uint32_t>& originals() const { return originals_; }
  bool is_identical(std::uint32_t serial) const { return identical_[serial]; }
  std::uint64_t asked() const { return asked_; }  ///< documents that pairs were looked for
  std::uint64_t documents() const { return documents_; }

 private:
  struct Task;

  Result<bool> next_task(Task& task);
  Status ask(IndexFinder& finder, Task& task) const;
  Status gather_keys();
  Status check_document(const PairLine& line, const std::string& folder) const;
  RowsOptions rows(const std::string& name) const;

  const IndexSnapshot& snapshot_;
  IndexPairsSettings settings_;
  std::vector<DocumentSet> left_out_;  ///< by part: hidden ones and copies
  std::vector<std::uint32_t> originals_;
  std::vector<bool> identical_;
  std::vector<bool> is_asked_;  ///< documents whose pairs are not known yet
  bool took_over_ = false;
  std::uint64_t documents_ = 0;
  std::uint64_t asked_ = 0;
  std::unique_ptr<SharedPairStore> pairs_ = std::make_unique<SharedPairStore>(rows("pairs"));
  // What next_task() has come to.
  IndexPlace next_;
  struct KeyRow {
    std::uint64_t place = 0;  ///< segment and number
    std::uint64_t key = 0;
    auto operator<=>(const KeyRow&) const = default;
  };
  struct KeyRowLess {
    bool operator()(const KeyRow& a, const KeyRow& b) const { return a < b; }
    static std::uint64_t radix(const KeyRow& row) { return row.place; }
  };
  std::unique_ptr<SortedRows<KeyRow, KeyRowLess>> keys_;  ///< null: sketches or texts tell them
  std::unique_ptr<RowCursor<KeyRow>> key_cursor_;
};

}  // namespace twinset

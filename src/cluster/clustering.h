// From pairs to clusters (B 4.1, phase 4): the step that recut() repeats.
//
//   Clustering clustering(documents, threshold, ClusterShape::components);
//   clustering.fold(7, 2, true);       // 7 is an exact copy of 2
//   clustering.add(pair);              // all pairs, by (a, b)
//   clustering.representative(9);
//
// Components: all connected documents. Stars: in input order a document joins the first
// representative with which it reaches the threshold, otherwise it becomes a representative. This
// is the rule of dedup, and every member has a proof of its own.
//
// The result is a pure function of the pairs: a representative is the first document of its
// cluster in input order, or of its star in the order that lead() gives.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "collection/output_files.h"
#include "join/shared_keys.h"
#include "join/union_find.h"
#include "rows/rows.h"
#include "scheme/scheme.h"
#include "twinset/cluster.h"
#include "twinset/result.h"

namespace twinset {

class Clustering {
 public:
  Clustering(std::uint32_t documents, const PairFloor& threshold, ClusterShape shape);

  /// Bytes this holds for `documents` documents; `led`: lead() will be called.
  static std::uint64_t bytes_needed(std::uint64_t documents, bool led = false) {
    return UnionFind::bytes_needed(documents) + documents / 8 + (led ? 8 * documents : 0);
  }

  /// Adds a copy of a document before it.
  void fold(std::uint32_t copy, std::uint32_t representative, bool identical);
  /// Adds the next pair by (a, b); a pair below the threshold changes nothing.
  void add(const SharedPair& pair);
  /// Stars are led by the first of their documents by rank. Call it once all copies and pairs of
  /// equal signatures are added, and add the others by lead_rank() of the later and the earlier.
  void lead(std::span<const std::uint32_t> ranks);

  const PairFloor& threshold() const { return threshold_; }
  /// The rank of the first of a document and its copies; after lead(), before other pairs.
  std::uint32_t lead_rank(std::uint32_t document) const { return ranks_[original(document)]; }
  std::uint32_t documents() const { return static_cast<std::uint32_t>(identical_.size()); }
  std::uint64_t edges() const { return edges_; }
  /// Pairs that would be edges if they shared more keys.
  std::uint64_t too_few_keys() const { return too_few_keys_; }
  std::uint32_t representative(std::uint32_t document);
  /// Is it an identical copy of another document?
  bool identical(std::uint32_t document) const { return identical_[document]; }

 private:
  std::uint32_t original(std::uint32_t document) const;

  PairFloor threshold_;
  ClusterShape shape_;
  UnionFind components_;
  std::vector<std::uint32_t> centers_;  ///< of stars: each document's center, which may be itself
  std::vector<std::uint32_t> ranks_;    ///< by original: of its lead; empty without lead()
  std::vector<std::uint32_t> leads_;    ///< by original: the first of its copies by rank
  std::vector<bool> identical_;
  std::uint64_t edges_ = 0;
  std::uint64_t too_few_keys_ = 0;
};

/// Links of clusters, by representative, then member; spills to disk.
class ClusterLinks {
 public:
  /// Gathers the links, counts them in `summary`, and seals them.
  static Result<std::unique_ptr<ClusterLinks>> make(const RowsOptions& options,
                                                    Clustering& clustering,
                                                    ClusterSummary& summary);

  /// Gives the links in order, once.
  Result<bool> next(ClusterLink& link);
  /// Calls `use` for all links in order; may be called again.
  Status for_each(const std::function<Status(const ClusterLink&)>& use) const;

 private:
  struct Row {
    std::uint32_t representative;
    std::uint32_t member;
  };
  struct RowLess {
    static std::uint64_t radix(const Row& row) {
      return std::uint64_t{row.representative} << 32 | row.member;
    }
    bool operator()(const Row& a, const Row& b) const { return radix(a) < radix(b); }
  };

  explicit ClusterLinks(const RowsOptions& options) : rows_(options) {}
  Status tally(const Clustering& clustering, ClusterSummary& summary) const;

  SortedRows<Row, RowLess> rows_;
  std::unique_ptr<RowCursor<Row>> cursor_;
};

}  // namespace twinset

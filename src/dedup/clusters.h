// The clusters of dedup: each kept document with the removed documents that it represents, and
// their resemblance. A cluster is a star: every member has its own proof.
//
// Threads: one thread at a time.
#pragma once

#include <cstdint>
#include <memory>

#include "join/documents.h"
#include "match/match.h"
#include "rows/rows.h"
#include "run/job.h"
#include "twinset/result.h"

namespace twinset {

/// A removed document and its survivor.
struct ClusterRow {
  DocumentId survivor;
  DocumentId member;
  Link link;  ///< as in Proof, or a copy's
  Fate fate = Fate::kept;
  std::uint8_t padding[7] = {};
};
static_assert(sizeof(ClusterRow) == 40);

struct ClusterLess {
  bool operator()(const ClusterRow& a, const ClusterRow& b) const {
    return a.survivor != b.survivor ? a.survivor < b.survivor : a.member < b.member;
  }
};

using ClusterRows = SortedRows<ClusterRow, ClusterLess>;

/// Counts the clusters of rows added in the order of ClusterRows.
class ClusterCount {
 public:
  void add(const ClusterRow& row);
  std::uint64_t clusters() const { return clusters_; }
  /// Documents in the largest cluster, with its representative; 0 if there is none.
  std::uint64_t largest() const { return largest_; }

 private:
  DocumentId survivor_;
  std::uint64_t clusters_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t largest_ = 0;
};

/// Counts the clusters without writing anything.
Result<ClusterCount> count_clusters(const Job& job, const DocumentTable& documents,
                                    const RowFile<Proof>& proofs);

/// The removed documents of all inputs except references, by survivor, then input order. Sealed.
Result<std::unique_ptr<ClusterRows>> cluster_rows(const Job& job, const DocumentTable& documents,
                                                  const RowFile<Proof>& proofs);

}  // namespace twinset

// Keys to candidate pairs.
//
// Band keys (a shared key means "perhaps"): in each group, in keep order, every
// member meets the group's first leaders and the member just before it. That is
// linear in the group, so no group is ever cut, and it is a pure function of the
// group. What leaders miss, the repair rounds of decide.h bring together.
//
// Counted keys (each shared key counts): every two members of a group meet, and
// the meetings are added up (B 4.1). A key held by more than `max_group`
// documents is a common shingle: it is left out of both sides and reported
// (B 5.1).
//
// Threads: one call at a time; each uses the context's threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/context.h"
#include "join/documents.h"
#include "join/edges.h"
#include "rows/rows.h"

namespace twinset {

/// A document under one of its keys.
struct KeyRow {
  std::uint64_t key = 0;
  DocumentId document;
};

/// Members of a group that every other member is paired with, for protected
/// and for ordinary documents each.
inline constexpr unsigned leaders_per_group = 4;

struct AddShared {
  void operator()(CountedPair& kept, const CountedPair& other) const {
    kept.shared += other.shared;
  }
};

using PairStore = SortedRows<Pair, PairLess>;
using CountedPairStore = SortedRows<CountedPair, PairLess, AddShared>;

/// Appends to `out` the pairs of each band group. Folded documents take no part
/// and two protected documents make no pair.
Status candidate_pairs(PartitionedRows<KeyRow>& rows, const DocumentTable& documents,
                       PairStore& out);

/// A key cut by max_group.
struct CommonKey {
  std::uint64_t key = 0;
  std::uint64_t documents = 0;
  DocumentId sample;  ///< the first of them in keep order
};

/// What counting left out.
struct CountReport {
  std::uint64_t keys_cut = 0;
  std::uint64_t rows_cut = 0;
  std::vector<CommonKey> largest;  ///< at most 100, most documents first, ties by key
};

/// Appends to `out` a count of 1 for each key that two documents share.
/// `max_group` of 0 cuts nothing. `key_counts`, by document index, holds each
/// document's number of keys; those that are cut are taken off.
Result<CountReport> counted_pairs(PartitionedRows<KeyRow>& rows, const DocumentTable& documents,
                                  std::uint64_t max_group, std::span<std::uint32_t> key_counts,
                                  CountedPairStore& out);

}  // namespace twinset

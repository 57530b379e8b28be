// Keys to candidate pairs.
//
// Band keys (a shared key means "perhaps"): in each group, in keep order, every member is
// paired with the group's first leaders and the member just before it. That is linear in the
// group, so no group is ever cut, and it is a pure function of the group. The repair rounds
// of decide.h find the pairs that leaders miss.
//
// Counted keys (each shared key counts) are shared_keys.h.
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

using PairStore = SortedRows<Pair, PairLess>;

/// Appends the pairs of each band group to `out`. Folded documents are left out, and two
/// protected documents make no pair.
Status candidate_pairs(PartitionedRows<KeyRow>& rows, const DocumentTable& documents,
                       PairStore& out);

}  // namespace twinset

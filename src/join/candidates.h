// Keys to candidate pairs.
//
// Band keys (a shared key means "perhaps"): in each group, in keep order, every
// member meets the group's first leaders and the member just before it. That is
// linear in the group, so no group is ever cut, and it is a pure function of the
// group. What leaders miss, the repair rounds of decide.h bring together.
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

/// Appends to `out` the pairs of each band group. Folded documents take no part
/// and two protected documents make no pair.
Status candidate_pairs(PartitionedRows<KeyRow>& rows, const DocumentTable& documents,
                       PairStore& out);

}  // namespace twinset

// Keys to candidate pairs.
//
// The documents that share a key are a group. Every member is paired with the group's first few,
// its leaders, and with the member just before it. That is linear in the group, so no group is ever
// cut. The repair rounds of decide.h find the pairs that leaders miss.
//
// Pairs depend on the group in keep order alone. Rows do not carry that order: it may be known only
// after the whole collection is read, and 8 more bytes would make a row half as large again. So the
// places of rows are looked up as they leave the group.
//
// shared_keys.h is for schemes whose shared keys are counted, all_pairs.h for those whose keys are
// too weak for leaders.
//
// Threads: call candidate_pairs() one at a time, it uses the context's threads.
#pragma once

#include <cstdint>

#include "join/documents.h"
#include "join/earlier_documents.h"
#include "join/edges.h"
#include "rows/rows.h"
#include "system/context.h"
#include "twinset/group.h"

namespace twinset {

/// A document under one of its keys.
struct KeyRow {
  std::uint64_t key = 0;
  DocumentId document;
};

using PairStore = SortedRows<Pair, PairLess>;

/// Appends the pairs of each group with its leaders to `out`. Folded documents are left out, and
/// references are never the later ones of a pair. The members of a group that `earlier` has come
/// before the others; null: there are none.
Status candidate_pairs(PartitionedRows<KeyRow>& rows, const DocumentTable& documents,
                       const EarlierDocuments* earlier, PairStore& out);

}  // namespace twinset

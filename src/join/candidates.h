// Keys to candidate pairs.
//
// The documents that share a key are a group. They are paired in one of two ways:
//
//   leaders  every member with the group's first few and the member just before it. That is
//            linear in the group, so no group is ever cut. The repair rounds of decide.h find
//            the pairs that leaders miss.
//   all      every member with every other, for a scheme whose shared keys are too weak for
//            leaders. That is quadratic: its cost is counted first (all_pairs.h).
//
// Both are pure functions of the group in keep order. Rows do not carry that order: it may be
// known only after the whole collection is read, and 8 more bytes would make a row half as large
// again. So the places of rows are looked up as they leave the group.
//
// shared_keys.h is for schemes whose shared keys are counted.
//
// Threads: pair_group() and pairs_of_group() are pure functions; call candidate_pairs() one at a
// time, it uses the context's threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

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

enum class PairUse : std::uint8_t { leaders, all };

/// Appends the pairs of one group, whose members are in keep order. Documents of the first
/// `reference_sources` sources are protected: they are never the later ones of a pair.
void pair_group(PairUse use, std::span<const Place> group, std::uint64_t reference_sources,
                std::vector<Pair>& out);

/// The number of these pairs in a group of so many protected members, and others after them.
std::uint64_t pairs_of_group(PairUse use, std::uint64_t references, std::uint64_t others);

using PairStore = SortedRows<Pair, PairLess>;

/// Appends the pairs of each group with its leaders to `out`. Folded documents are left out. The
/// members of a group that `earlier` has come before the others; null: there are none.
Status candidate_pairs(PartitionedRows<KeyRow>& rows, const DocumentTable& documents,
                       const EarlierDocuments* earlier, PairStore& out);

}  // namespace twinset

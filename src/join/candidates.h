// Keys to candidate pairs.
//
// The documents of a group, which have a key in common, are paired in one of two ways:
//
//   leaders  every member with the group's first few and the member just before it. That is
//            linear in the group, so no group is ever cut. The repair rounds of decide.h find
//            the pairs that leaders miss.
//   all      every member with every other, for a scheme whose shared keys are too weak for
//            leaders. That is quadratic: its cost is counted first (all_pairs.h).
//
// Both are pure functions of the group in keep order, which rows do not carry: some orders are
// settled only when the whole collection has been read, and 8 more bytes a row are half as
// much again. So whoever groups rows looks up their places, as they leave the group.
//
// Counted keys (each shared key counts) are shared_keys.h.
//
// Threads: pair_group() is a pure function; of the rest one call at a time, each uses the
// context's threads.
#pragma once

#include <array>
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

enum class PairUse : std::uint8_t { leaders, all };

/// Members of a group that every other member is paired with, for protected
/// and for ordinary documents each.
inline constexpr unsigned leaders_per_group = 4;

/// Appends the pairs of one group, whose members are in keep order. Documents of the first
/// `reference_sources` sources are protected: none is ever the later one of a pair.
void pair_group(PairUse use, std::span<const Place> group, std::uint64_t reference_sources,
                std::vector<Pair>& out);

/// How many pairs that will be, for so many protected members and others after them.
std::uint64_t pairs_of_group(PairUse use, std::uint64_t references, std::uint64_t others);

using PairStore = SortedRows<Pair, PairLess>;

/// Appends the pairs of each group with its leaders to `out`. Folded documents are left out.
Status candidate_pairs(PartitionedRows<KeyRow>& rows, const DocumentTable& documents,
                       PairStore& out);

}  // namespace twinset

// Stars whose leads are chosen: by a date, a field, a length, in place of the input order.
//
//   const std::vector<std::uint32_t> ranks = ranks_of(table);    // after set_keep_order()
//   TWINSET_TRY(add_by_lead(rows, give_all_pairs, ranks, clustering, nullptr));
//
// A star takes documents in lead order, so pairs must come by the ranks of their documents: those
// that reach the threshold are sorted once more, and may spill.
//
// Threads: one call at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "cluster/clustering.h"
#include "cluster/distance_table.h"
#include "join/documents.h"
#include "join/shared_keys.h"
#include "rows/rows.h"
#include "twinset/result.h"

namespace twinset {

/// Each document's place in keep order, from 0; ties are in input order.
std::vector<std::uint32_t> ranks_of(const DocumentTable& documents);

using UsePair = std::function<Status(const SharedPair&)>;

/// Adds all pairs to stars whose copies are folded. `give` gives each pair once, and is called
/// twice. `distances` may be null.
Status add_by_lead(const RowsOptions& rows, const std::function<Status(const UsePair&)>& give,
                   std::span<const std::uint32_t> ranks, Clustering& clustering,
                   DistanceTable* distances);

}  // namespace twinset

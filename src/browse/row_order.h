// The rows of a list that ListRowsOptions ask for, in their order.
//
//   TWINSET_ASSIGN(const RowOrder order, sort_rows(*spans, files, limits, options));
//   order.rows.front();                                  // the first of them, from 0
//
// Values sort as numbers, then as texts, byte by byte, then those that are missing; equal ones keep
// the order of the list.
//
// Threads: pure functions.
#pragma once

#include "browse/order_cache.h"
#include "browse/row_list.h"
#include "system/files.h"
#include "twinset/browse.h"
#include "twinset/result.h"

namespace twinset {

/// The rows that are asked for, without `offset` and `limit`, in their order; `sort` or `search` is
/// set. Errors: usage (no such column; more rows than can be sorted), io, interrupted. Rows are
/// sorted in limits.sort_bytes, and spill to limits.tmp.
Result<RowOrder> sort_rows(const RowList& list, FileSystem& files, const BrowseLimits& limits,
                           const ListRowsOptions& options);

}  // namespace twinset

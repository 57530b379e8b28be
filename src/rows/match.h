// Joins rows with the rows of a frozen table that have the same key: a merge of the two.
//
//   SortedRows<KeyRow, KeyThenLess<KeyRow, ByDocument>> rows(options);   // ... appended, sealed
//   TWINSET_TRY(match(*rows.read().value(), *labels.read().value(),
//                     [&](const KeyRow& row, const LabelRow& label) { return found(row, label);
//                     }));
//
// Threads: one at a time, as the cursors.
#pragma once

#include <concepts>

#include "rows/cursor.h"
#include "rows/key.h"

namespace twinset {

/// Calls `use(row, entry)`, which returns a Status, for each row whose key the table has, with
/// the first entry of that key. Both cursors ascend by key. O(rows + table), and reads no more
/// of the table than the rows need.
template <Keyed Row, Keyed Entry, class Use>
requires std::same_as<decltype(Row::key), decltype(Entry::key)> Status
match(RowCursor<Row>& rows, RowCursor<Entry>& table, Use use) {
  return for_each_row(rows, [&](const Row& row) -> Status {
    const Entry* entry = table.peek();
    for (; entry != nullptr && entry->key < row.key; entry = table.peek()) table.advance();
    if (entry == nullptr) return table.status();
    return entry->key == row.key ? use(row, *entry) : Status();
  });
}

}  // namespace twinset

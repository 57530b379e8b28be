// Fixed-width rows in bounded memory: the only part of twinset that spills.
//
// Two stores serve every join, and a plain file the rest:
//   PartitionedRows  for rows whose key is a uniform hash of 64 or 128 bits (key.h):
//                    radix partitions by its top bits, grouped in cache.
//   SortedRows       for any order: sorted runs, merged as they are read.
//   RowFile          rows in the order written.
// rows/string_counts.h counts strings, rows/sorted_records.h sorts records of any length, and
// rows/fixed_file.h holds rows that are found by number, of a width chosen at run time, and
// rows/blob_file.h names, texts and samples. Two kinds of file outlive a run: rows/table.h, frozen
// rows found by key, and rows/log_file.h, a log of batches of bytes.
//
// The stores hold rows in memory while their budget lasts, then write
// checksummed blocks to files under their prefix (docs/formats/rows.md). The rows they yield depend
// only on the set of rows added: never on the order of adding, threads, budget or partition count.
//
// A visitor of PartitionedRows::for_each_group has
//   Status row(const Row& row, bool first)   for each row of each key held by two
//     or more different kept rows (of every key, with Groups::all): keys in any
//     order over the workers, but each key's rows together and in order, equal
//     rows once;
//   Status finish()                          once per worker at the end.
// Work is linear in rows; a key held once costs a few ns. Memory stays within
// memory_bytes, whatever the skew (one key in every row included).
//
// Of rows that compare equal the bytewise smallest stays.
//
// Threads: append() from any thread (RowFile: one); reading starts when all
// adding has ended.
#pragma once

#include "rows/cursor.h"
#include "rows/options.h"
#include "rows/partitioned_rows.h"
#include "rows/row_file.h"
#include "rows/sorted_rows.h"

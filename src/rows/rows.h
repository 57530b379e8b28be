// Fixed-width rows in bounded memory: the one place of twinset that spills.
//
// Two stores serve every join:
//   PartitionedRows  for rows whose first word is a uniform hash: radix
//                    partitions by its top bits, grouped in cache.
//   SortedRows       for any order: sorted runs, merged as they are read.
// Both hold rows in memory while their budget lasts, then write checksummed
// blocks to files under their prefix. What they yield depends only on the set of
// rows added: never on the order of adding, threads, budget or partition count.
//
// Threads: append() from any thread; reading starts when all adding has ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/context.h"
#include "twinset/result.h"

namespace twinset {

/// Rows are plain structs without padding, little-endian on disk.
template <class Row>
concept PlainRow = std::is_trivially_copyable_v<Row> &&
                   std::has_unique_object_representations_v<Row>;

/// What a rows store is told about itself.
struct RowsOptions {
  const RunContext* context = nullptr;  ///< files, threads, cancel
  std::string path;                     ///< prefix of its files, e.g. "<tmp>/bands"
  std::uint64_t memory_bytes = 0;       ///< rows and buffers held before spilling
  std::uint64_t fingerprint = 0;        ///< scheme fingerprint, kept in each file's header
};

/// Rows joined by a key that is a uniform 64-bit hash: Row's first 8 bytes.
///
///   PartitionedRows<BandRow> bands(options);
///   bands.append(batch);                          // any thread
///   bands.for_each_group(
///       [&](BandRow& row) { return !folded(row); },        // keep? (may change all but the key)
///       [&](const BandRow& a, const BandRow& b) {...},     // order within a key
///       [&](unsigned worker) { return Leaders(...); });    // a visitor per worker
///
/// A visitor has `Status row(const Row& row, bool first)`, called for each row of
/// each key held by two or more kept rows, keys in any order over the workers
/// but each key's rows together and in order, equal rows once; and
/// `Status finish()`, called once per worker at the end. Work linear in rows; a
/// key held once costs a few ns. Memory: within memory_bytes, whatever the skew
/// (one key in every row included: such a partition is sorted outside memory).
template <PlainRow Row>
class PartitionedRows;

/// Rows in the order of `Less` (a strict weak order, default-constructible or
/// passed in), equal rows (neither less) once: combine(kept, other) folds the
/// second into the first and defaults to dropping it ("adding merges", B 4.1).
///
///   SortedRows<Pair, PairLess> pairs(options);
///   pairs.append(batch);                  // any thread
///   pairs.seal();
///   auto cursor = pairs.read();           // as often as wanted
///   while (const Pair* pair = cursor.value()->next().value()) ...
template <PlainRow Row, class Less, class Combine>
class SortedRows;

/// Rows in the order written, in one checksummed file: write, seal, read often.
template <PlainRow Row>
class RowFile;

/// Pulls rows one at a time. The pointer lives until the next call; nullptr at
/// the end. A block whose checksum fails is an Error naming file and offset.
template <PlainRow Row>
class RowCursor {
 public:
  virtual ~RowCursor() = default;
  virtual Result<const Row*> next() = 0;
};

}  // namespace twinset

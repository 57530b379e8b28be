// One worker's grouping of partitions: in its share of memory if a partition fits, else by a sort
// that spills.
//
//   PartitionGrouper grouper(options, keep, less, visitor);
//   for (...) TWINSET_TRY(grouper.group(partition));
//
// Threads: one at a time; several may group partitions of one store.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rows/block_file.h"
#include "rows/group.h"
#include "rows/options.h"
#include "rows/region.h"
#include "rows/sort.h"
#include "rows/sorted_rows.h"

namespace twinset {

/// Rows of one partition that were written together, block after block.
struct Extent {
  std::uint64_t offset = 0;
  std::uint64_t rows = 0;
  std::uint32_t block_rows = 0;  ///< of each block; only the last may be shorter
};

/// The place of the rows of one partition.
template <PlainRow Row>
struct PartitionView {
  std::uint64_t rows = 0;                  ///< in all
  std::vector<std::span<const Row>> held;  ///< in memory
  std::span<const Extent> extents;         ///< in the file
  const BlockFile* file = nullptr;         ///< null without extents
  std::uint32_t tag = 0;                   ///< of the partition's blocks
};

/// `Keep`, `Less` and `Visitor` as for PartitionedRows::for_each_group.
template <Keyed Row, class Keep, class Less, class Visitor>
class PartitionGrouper {
 public:
  /// `options`: the context, a path for this worker's own files, and its share of the memory.
  PartitionGrouper(RowsOptions options, Groups groups, Keep& keep, const Less& less,
                   Visitor& visitor)
      : options_(std::move(options)),
        groups_(groups),
        keep_(keep),
        less_(less),
        visitor_(visitor) {}

  /// Memory to group `rows` rows in.
  static std::uint64_t bytes_needed(std::uint64_t rows) {
    return front_bytes + (rows * sizeof(Row) + 63) / 64 * 64 + SeenKeys::bytes_needed(rows);
  }

  Status group(const PartitionView<Row>& partition) {
    TWINSET_TRY(options_.context->check_cancelled());
    if (partition.rows < (groups_ == Groups::all ? 1 : 2)) return {};
    return bytes_needed(partition.rows) <= options_.memory_bytes ? group_in_memory(partition)
                                                                 : group_outside_memory(partition);
  }

 private:
  static constexpr std::size_t scratch_rows = std::max<std::size_t>(1, (64 << 10) / sizeof(Row));
  /// Room in front of the rows for the header of a block read in place.
  static constexpr std::size_t front_bytes = 64;
  static_assert(front_bytes >= block_header_bytes);
  static constexpr std::uint64_t first_multiplier = 0x9e3779b97f4a7c15ULL;
  static constexpr std::uint64_t second_multiplier = 0xd6e8feb86659fd93ULL;

  Status group_in_memory(const PartitionView<Row>& partition) {
    if (region_.data() == nullptr) {
      TWINSET_ASSIGN(region_, Region::make(options_.memory_bytes));
      region_.use_large_pages();
    }
    Row* const rows = reinterpret_cast<Row*>(region_.data() + front_bytes);
    std::uint64_t* const words = reinterpret_cast<std::uint64_t*>(
        region_.data() + front_bytes + (partition.rows * sizeof(Row) + 63) / 64 * 64);
    SeenKeys seen(words, groups_ == Groups::shared ? partition.rows : 0, first_multiplier);
    std::size_t count = 0;
    TWINSET_TRY(load(partition, rows, count, seen));
    if (groups_ == Groups::shared) count = seen.keep_shared(std::span(rows, count));
    // A second hash separates nearly all keys that collided in the first.
    if (groups_ == Groups::shared && count > 32 && count < partition.rows / 4 * 3) {
      SeenKeys again(words, count, second_multiplier);
      again.mark(std::span<const Row>(rows, count));
      count = again.keep_shared(std::span(rows, count));
    }
    const Row* const grouped = bring_together(std::span(rows, count));
    GroupStream<Row, Less, Visitor> stream(groups_, less_, visitor_);
    for (std::size_t i = 0; i < count; ++i) {
      if (i % 4096 == 4095) TWINSET_TRY(options_.context->check_cancelled());
      TWINSET_TRY(stream.add(grouped[i]));
    }
    return stream.end();
  }

  /// Returns the rows with those of each key together and in order. Deals them into small buckets
  /// in the memory after them and sorts each bucket; without room for that, sorts in place.
  const Row* bring_together(std::span<Row> rows) {
    const KeyThenLess<Row, const Less&> order{less_};
    const std::size_t buckets = std::bit_ceil(rows.size() / 2 + 1);
    const std::uint64_t needed =
        front_bytes + 2 * rows.size_bytes() + (buckets + 1) * sizeof(std::uint32_t);
    if (needed > options_.memory_bytes || rows.size() >= UINT32_MAX) {
      sort_rows(rows, order);
      return rows.data();
    }
    Row* const dealt = rows.data() + rows.size();
    auto* const ends = reinterpret_cast<std::uint32_t*>(dealt + rows.size());
    const int shift = 64 - std::countr_zero(buckets);
    const auto bucket_of = [shift](const Row& row) {
      return static_cast<std::size_t>(first_word(row.key) * second_multiplier >> 1 >> (shift - 1));
    };
    std::fill_n(ends, buckets + 1, 0);
    for (const Row& row : rows) ++ends[bucket_of(row) + 1];
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) ends[bucket + 1] += ends[bucket];
    for (const Row& row : rows) dealt[ends[bucket_of(row)]++] = row;
    std::uint32_t begin = 0;
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
      sort_few({dealt + begin, ends[bucket] - begin}, order);
      begin = ends[bucket];
    }
    return dealt;
  }

  /// std::sort for rows that are usually few and nearly in order.
  template <class Order>
  static void sort_few(std::span<Row> rows, const Order& order) {
    constexpr std::size_t few_rows = 24;
    if (rows.size() > few_rows) return std::sort(rows.begin(), rows.end(), std::cref(order));
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const Row row = rows[i];
      std::size_t j = i;
      for (; j > 0 && order(row, rows[j - 1]); --j) rows[j] = rows[j - 1];
      rows[j] = row;
    }
  }

  /// Loads the partition's kept rows, and marks their keys if only shared ones are wanted.
  Status load(const PartitionView<Row>& partition, Row* rows, std::size_t& count, SeenKeys& seen) {
    const auto take = [&](const Row* from, std::size_t size) {
      const std::size_t before = count;
      for (std::size_t i = 0; i < size; ++i) {
        Row row = from[i];
        if (keep_(row)) rows[count++] = row;
      }
      if (groups_ == Groups::all) return;
      seen.mark(std::span<const Row>(rows + before, count - before));
    };
    for (const std::span<const Row> held : partition.held) take(held.data(), held.size());
    return for_each_block(partition, [&](std::uint64_t offset, std::uint32_t size) -> Status {
      // Read the block so that its rows directly follow the last ones; its header overwrites rows,
      // which are restored.
      std::byte* const block = reinterpret_cast<std::byte*>(rows + count) - block_header_bytes;
      std::array<std::byte, block_header_bytes> covered;
      std::memcpy(covered.data(), block, block_header_bytes);
      TWINSET_TRY(read_block(partition, offset, block, size));
      std::memcpy(block, covered.data(), block_header_bytes);
      take(rows + count, size);
      return {};
    });
  }

  template <class Visit>
  Status for_each_block(const PartitionView<Row>& partition, Visit visit) {
    for (const Extent& extent : partition.extents) {
      std::uint64_t offset = extent.offset;
      for (std::uint64_t left = extent.rows; left > 0;) {
        TWINSET_TRY(options_.context->check_cancelled());
        const auto size =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(left, extent.block_rows));
        TWINSET_TRY(visit(offset, size));
        offset += block_bytes(size, sizeof(Row));
        left -= size;
      }
    }
    return {};
  }

  Status read_block(const PartitionView<Row>& partition, std::uint64_t offset, std::byte* block,
                    std::uint32_t size) {
    const Result<std::uint32_t> rows = partition.file->read(offset, partition.tag, block, size);
    if (!rows.ok()) return rows.error();
    if (rows.value() != size) {
      return io_error(partition.file->path() + " is damaged: the block at byte " +
                      std::to_string(offset) + " has too few rows; run again");
    }
    return {};
  }

  /// The same for a partition of any size, by a sort that spills.
  Status group_outside_memory(const PartitionView<Row>& partition) {
    region_ = {};
    RunContext context = *options_.context;
    context.threads = 1;
    const std::uint64_t block = partition.extents.empty() ? 0 : largest_block(partition);
    RowsOptions options = options_;
    options.context = &context;
    options.memory_bytes -= std::min(options.memory_bytes, block);
    SortedRows<Row, KeyThenLess<Row, Less>> sorted(options, {less_});
    TWINSET_TRY(sort_partition(partition, block, sorted));
    TWINSET_TRY(sorted.seal());
    GroupStream<Row, Less, Visitor> stream(groups_, less_, visitor_);
    TWINSET_TRY(for_each_row(sorted, [&](const Row& row) { return stream.add(row); }));
    return stream.end();
  }

  static std::uint64_t largest_block(const PartitionView<Row>& partition) {
    std::uint64_t rows = 0;
    for (const Extent& extent : partition.extents) {
      rows = std::max(rows, std::min<std::uint64_t>(extent.rows, extent.block_rows));
    }
    return block_bytes(rows, sizeof(Row));
  }

  template <class Sorted>
  Status sort_partition(const PartitionView<Row>& partition, std::uint64_t block_size,
                        Sorted& sorted) {
    const auto take = [&](const Row* from, std::size_t size) -> Status {
      alignas(64) std::byte scratch[scratch_rows * sizeof(Row)];
      Row* const kept = reinterpret_cast<Row*>(scratch);
      while (size > 0) {
        const std::size_t slice = std::min(size, scratch_rows);
        std::size_t count = 0;
        for (std::size_t i = 0; i < slice; ++i) {
          Row row = from[i];
          if (keep_(row)) kept[count++] = row;
        }
        TWINSET_TRY(sorted.append(std::span<const Row>(kept, count)));
        from += slice;
        size -= slice;
      }
      return {};
    };
    for (const std::span<const Row> held : partition.held) {
      TWINSET_TRY(take(held.data(), held.size()));
    }
    TWINSET_ASSIGN(Region block, Region::make(block_size));
    return for_each_block(partition, [&](std::uint64_t offset, std::uint32_t size) -> Status {
      TWINSET_TRY(read_block(partition, offset, block.data(), size));
      return take(reinterpret_cast<const Row*>(block.data() + block_header_bytes), size);
    });
  }

  RowsOptions options_;
  Groups groups_;
  Keep& keep_;
  const Less& less_;
  Visitor& visitor_;
  Region region_;
};

}  // namespace twinset

// Rows joined by a key that is a uniform hash (rows/key.h): radix partitions by its top
// bits, grouped in cache.
//
//   PartitionedRows<BandRow> bands(options);
//   bands.append(batch);                          // any thread
//   bands.for_each_group(
//       [&](BandRow& row) { return !folded(row); },        // keep? (may change all but the key)
//       [&](const BandRow& a, const BandRow& b) {...},     // order within a key
//       [&](unsigned worker) { return Leaders(...); });    // a visitor per worker
//
// Adding: a batch is sorted by partition in 64 KiB of stack and copied to each
// partition's open chunk. Chunks come from one pool of memory; when it is empty
// a partition that fills its chunk writes all it holds, each chunk a block, as
// one extent of the store's file. One file serves all partitions: a block knows
// its partition, so the index can be read back after a kill.
//
// Grouping: if nothing was written, each partition is copied out of its chunks. Otherwise the rest
// is written too and the pool given back, so that each worker has an equal share of all memory to
// load partitions into. A partition that does not fit (a key in every row) is sorted outside memory
// instead.
//
// Threads: append() from any; all else one at a time, when no append() runs.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/message.h"
#include "rows/block_file.h"
#include "rows/group.h"
#include "rows/options.h"
#include "rows/partition_grouper.h"
#include "rows/region.h"
#include "rows/sorted_rows.h"
#include "system/clean_up.h"
#include "system/threads.h"

namespace twinset {

template <Keyed Row>
class PartitionedRows {
 public:
  using Key = decltype(Row::key);

  /// The store chooses: 256 partitions, fewer if memory is small.
  static constexpr unsigned choose_bits = ~0U;
  static constexpr unsigned max_bits = 12;

  /// A smaller options.memory_bytes counts as this.
  static constexpr std::uint64_t least_memory(unsigned threads) {
    return 4 * SortedRows<Row, KeyLess<Row>>::least_memory(threads);
  }

  /// `fan_out_bits`: log2 of the number of partitions, at most max_bits; fewer if memory would not
  /// hold a few KiB of each.
  explicit PartitionedRows(const RowsOptions& options, unsigned fan_out_bits = choose_bits)
      : options_(options) {
    options_.memory_bytes = std::max(options.memory_bytes, least_memory(threads()));
    const bool chosen = fan_out_bits == choose_bits;
    unsigned bits = chosen ? default_bits : std::min(fan_out_bits, max_bits);
    const std::uint64_t least_chunk = chosen ? comfortable_chunk : smallest_chunk;
    while (bits > 0 && chunk_bytes(bits) < least_chunk) --bits;
    while (!divide(bits)) --bits;  // Ends: least_memory() holds a row in one partition.
  }

  /// Removes the file, unless a checkpoint was made: then a later run may need it.
  ~PartitionedRows() {
    if (!keep_file_) clean_up([&] { return discard(); });
  }
  PartitionedRows(const PartitionedRows&) = delete;
  PartitionedRows& operator=(const PartitionedRows&) = delete;

  /// Adds rows; batches of some thousand are fastest. Errors: of writing (then
  /// the store is lost), interrupted.
  Status append(std::span<const Row> rows);

  /// Visits each key that two or more different kept rows hold, or every key; see rows.h. `keep`
  /// and `less` are called from all workers at once, `keep` once or more for a row; its
  /// result must depend on the row only. Visitors are made before the work begins, for at most
  /// context.threads workers, on the calling thread. May be called again.
  template <class Keep, class Less, class MakeVisitor>
  Status for_each_group(Keep&& keep, Less less, MakeVisitor&& make_visitor,
                        Groups groups = Groups::shared);

  /// Rows added so far.
  Result<std::uint64_t> rows() const {
    std::uint64_t sum = 0;
    for (const Partition& partition : partitions_) sum += partition.rows;
    return sum;
  }
  unsigned partitions() const { return static_cast<unsigned>(partitions_.size()); }
  /// Bytes of the store's file.
  std::uint64_t spilled_bytes() const { return file_ ? file_->bytes() : 0; }

  /// Brings all rows to disk and says how far the files have come.
  Status checkpoint(std::vector<PartLength>& out);
  /// Before any append: continues from a killed run's checkpoint; rows added after it are dropped.
  /// The files decide the number of partitions. Errors (io): missing, shorter or damaged files.
  Status restore(std::span<const PartLength> lengths);
  /// Adds the rows that a store of other rows of this kind and fingerprint had at a checkpoint,
  /// whose file `other` is. It is only read. Errors (io): it is missing, shorter or damaged.
  Status take_over(const PartLength& other);

  /// Drops all rows and removes the file.
  Status discard() {
    pool_ = {};
    for (Partition& partition : partitions_) partition.forget();
    keep_file_ = false;
    if (!file_) return {};
    const std::string path = file_->path();
    file_.reset();
    return remove_if_there(*context().files, path);
  }

 private:
  static constexpr unsigned default_bits = 8;
  static constexpr std::uint64_t chunks_per_partition = 4;
  static constexpr std::uint64_t smallest_chunk = 2 << 10;      // Smaller: headers weigh.
  static constexpr std::uint64_t comfortable_chunk = 33 << 10;  // One write each.
  static constexpr std::uint64_t largest_chunk = 256 << 10;
  static_assert(sizeof(Row) <= 16384, "rows are copied through 64 KiB of stack");
  static constexpr std::size_t scratch_bytes = 64 << 10;
  static constexpr std::size_t scratch_rows = std::max<std::size_t>(1, scratch_bytes / sizeof(Row));
  static constexpr unsigned tag_bits_shift = 24;  // A block's tag: bits, then partition.
  /// From where one batch begins to where the next does; odd, so that all partitions get their
  /// turn.
  static constexpr std::size_t stride = 97;

  struct alignas(64) Partition {
    std::mutex mutex;
    std::uint32_t open = 0;           ///< the chunk being filled; never none
    std::uint32_t filled = 0;         ///< rows in it
    std::vector<std::uint32_t> full;  ///< full chunks
    std::vector<Extent> extents;      ///< written rows
    std::uint64_t rows = 0;

    void forget() {
      filled = 0;
      full.clear();
      extents.clear();
      rows = 0;
    }
  };

  const RunContext& context() const { return *options_.context; }
  unsigned threads() const { return std::max(1U, options_.context->threads); }
  std::uint64_t pool_bytes() const { return options_.memory_bytes / 8 * 5; }
  /// Room for four chunks a partition, and small compared with a worker's share.
  std::uint64_t chunk_bytes(unsigned bits) const {
    const std::uint64_t bytes =
        std::min((pool_bytes() / chunks_per_partition) >> bits,
                 std::min(largest_chunk, options_.memory_bytes / (8 * threads())));
    return bytes / 64 * 64;
  }
  unsigned shift() const { return 64 - bits_; }
  std::uint32_t tag(std::size_t part) const {
    return bits_ << tag_bits_shift | static_cast<std::uint32_t>(part);
  }
  std::size_t part_of(const Key& key) const {
    return bits_ == 0 ? 0 : static_cast<std::size_t>(first_word(key) >> shift());
  }
  std::byte* chunk(std::uint32_t number) const {
    return pool_.data() + std::size_t{number} * chunk_bytes_;
  }
  Row* chunk_rows(std::uint32_t number) const {
    return reinterpret_cast<Row*>(chunk(number) + block_header_bytes);
  }
  BlockLayout layout() const {
    return {.format = "parts", .row_bytes = sizeof(Row), .fingerprint = options_.fingerprint};
  }
  std::string file_path() const { return options_.path + ".parts"; }

  bool divide(unsigned bits);
  Status prepare();
  Status append_to(Partition& partition, std::size_t part, const Row* rows, std::size_t count);
  Status next_chunk(Partition& partition, std::size_t part);
  Status write_chunks(Partition& partition, std::size_t part);
  Status open_file();
  Status write_all();
  Status fail(const Status& status);
  Status failure();

  PartitionView<Row> view(std::size_t part) const;

  RowsOptions options_;
  unsigned bits_ = 0;
  std::size_t chunk_bytes_ = 0;
  std::uint32_t rows_per_chunk_ = 0;
  std::uint32_t chunks_ = 0;

  std::vector<Partition> partitions_;
  std::atomic<bool> ready_ = false;          ///< the pool exists
  std::atomic<std::size_t> next_first_ = 0;  ///< where the next batch begins to be added

  std::mutex mutex_;  ///< guards all below; taken after a partition's
  Region pool_;
  std::vector<std::uint32_t> free_;
  std::unique_ptr<BlockFile> file_;
  Status failure_;
  bool keep_file_ = false;
};

// Adding.

/// Fits 2^bits partitions, four chunks each, into the pool; false if a chunk
/// would not hold a row.
template <Keyed Row>
bool PartitionedRows<Row>::divide(unsigned bits) {
  const std::uint64_t bytes = chunk_bytes(bits);
  if (bytes < block_bytes(1, sizeof(Row))) return false;
  bits_ = bits;
  chunk_bytes_ = static_cast<std::size_t>(bytes);
  rows_per_chunk_ = static_cast<std::uint32_t>((bytes - block_header_bytes) / sizeof(Row));
  chunks_ =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(pool_bytes() / bytes, ~std::uint32_t{0}));
  partitions_ = std::vector<Partition>(std::size_t{1} << bits);
  return true;
}

template <Keyed Row>
Status PartitionedRows<Row>::append(std::span<const Row> rows) {
  TWINSET_TRY(context().check_cancelled());
  if (!ready_.load(std::memory_order_acquire)) TWINSET_TRY(prepare());
  if (rows.size() * 4 < partitions_.size()) {
    for (const Row& row : rows) {
      const std::size_t part = part_of(row.key);
      TWINSET_TRY(append_to(partitions_[part], part, &row, 1));
    }
    return {};
  }
  // A counting sort by partition, then each partition's rows in one go.
  alignas(64) std::byte scratch[scratch_rows * sizeof(Row)];
  std::array<std::uint32_t, (std::size_t{1} << max_bits) + 1> ends;
  while (!rows.empty()) {
    const std::span<const Row> slice = rows.first(std::min(rows.size(), scratch_rows));
    rows = rows.subspan(slice.size());
    std::fill_n(ends.begin(), partitions_.size() + 1, 0);
    for (const Row& row : slice) ++ends[part_of(row.key) + 1];
    for (std::size_t part = 0; part < partitions_.size(); ++part) ends[part + 1] += ends[part];
    Row* const sorted = reinterpret_cast<Row*>(scratch);
    for (const Row& row : slice) sorted[ends[part_of(row.key)]++] = row;
    // Threads that went through the partitions in step would wait for each other at each of them.
    const std::size_t first = next_first_.fetch_add(stride, std::memory_order_relaxed);
    for (std::size_t i = 0; i < partitions_.size(); ++i) {
      const std::size_t part = (first + i) % partitions_.size();
      const std::uint32_t begin = part == 0 ? 0 : ends[part - 1];
      if (ends[part] == begin) continue;
      TWINSET_TRY(append_to(partitions_[part], part, sorted + begin, ends[part] - begin));
    }
  }
  return {};
}

/// Allocates the pool: an open chunk for each partition, the others free.
template <Keyed Row>
Status PartitionedRows<Row>::prepare() {
  const std::lock_guard lock(mutex_);
  if (!failure_.ok()) return failure_;
  if (ready_) return {};
  TWINSET_ASSIGN(pool_, Region::make(std::uint64_t{chunks_} * chunk_bytes_));
  // Not for the first chunks: few rows touch only a little of each.
  pool_.use_large_pages(partitions_.size() * chunk_bytes_);
  for (std::size_t part = 0; part < partitions_.size(); ++part) {
    partitions_[part].open = static_cast<std::uint32_t>(part);
  }
  free_.clear();
  for (auto number = static_cast<std::uint32_t>(chunks_); number > partitions_.size();) {
    free_.push_back(--number);
  }
  ready_ = true;
  return {};
}

template <Keyed Row>
Status PartitionedRows<Row>::append_to(Partition& partition, std::size_t part, const Row* rows,
                                       std::size_t count) {
  const std::lock_guard lock(partition.mutex);
  partition.rows += count;
  while (true) {
    const std::size_t fits = std::min<std::size_t>(count, rows_per_chunk_ - partition.filled);
    std::memcpy(chunk_rows(partition.open) + partition.filled, rows, fits * sizeof(Row));
    partition.filled += static_cast<std::uint32_t>(fits);
    if (fits == count) return {};
    rows += fits;
    count -= fits;
    const Status ready = next_chunk(partition, part);
    if (!ready.ok()) return fail(ready);
  }
}

/// The open chunk is full: takes another, or writes all of the partition if there is none.
template <Keyed Row>
Status PartitionedRows<Row>::next_chunk(Partition& partition, std::size_t part) {
  {
    const std::lock_guard lock(mutex_);
    if (!failure_.ok()) return failure_;
    if (!free_.empty()) {
      partition.full.push_back(std::exchange(partition.open, free_.back()));
      partition.filled = 0;
      free_.pop_back();
      return {};
    }
  }
  return write_chunks(partition, part);
}

/// Writes all chunks of a partition as one extent; it keeps one open chunk.
template <Keyed Row>
Status PartitionedRows<Row>::write_chunks(Partition& partition, std::size_t part) {
  const std::uint64_t rows =
      std::uint64_t{rows_per_chunk_} * partition.full.size() + partition.filled;
  if (rows == 0) return {};
  TWINSET_TRY(context().check_cancelled());
  TWINSET_TRY(open_file());
  const std::uint64_t blocks = partition.full.size() + (partition.filled > 0 ? 1 : 0);
  const std::uint64_t bytes = blocks * block_header_bytes + rows * sizeof(Row);
  const Extent extent{file_->reserve(bytes), rows, rows_per_chunk_};
  std::uint64_t offset = extent.offset;
  for (const std::uint32_t number : partition.full) {
    TWINSET_TRY(file_->write(offset, chunk(number), tag(part), rows_per_chunk_));
    offset += block_bytes(rows_per_chunk_, sizeof(Row));
  }
  if (partition.filled > 0) {
    TWINSET_TRY(file_->write(offset, chunk(partition.open), tag(part), partition.filled));
  }
  partition.extents.push_back(extent);
  partition.filled = 0;
  const std::lock_guard lock(mutex_);
  free_.insert(free_.end(), partition.full.begin(), partition.full.end());
  partition.full.clear();
  return {};
}

template <Keyed Row>
Status PartitionedRows<Row>::open_file() {
  const std::lock_guard lock(mutex_);
  if (file_) return {};
  TWINSET_ASSIGN(file_, BlockFile::create(*context().files, file_path(), layout()));
  return {};
}

/// Writes what is in memory, on all threads.
template <Keyed Row>
Status PartitionedRows<Row>::write_all() {
  if (!ready_) return {};
  std::atomic<std::size_t> next = 0;
  const Status written = run_workers(threads(), [&](unsigned) -> Status {
    for (std::size_t part = next++; part < partitions_.size(); part = next++) {
      const std::lock_guard lock(partitions_[part].mutex);
      TWINSET_TRY(write_chunks(partitions_[part], part));
    }
    return {};
  });
  return written.ok() ? written : fail(written);
}

/// Records a failure: a store that lost rows fails from then on.
template <Keyed Row>
Status PartitionedRows<Row>::fail(const Status& status) {
  const std::lock_guard lock(mutex_);
  if (failure_.ok()) failure_ = status;
  return status;
}

template <Keyed Row>
Status PartitionedRows<Row>::failure() {
  const std::lock_guard lock(mutex_);
  return failure_;
}

// Checkpoints.

template <Keyed Row>
Status PartitionedRows<Row>::checkpoint(std::vector<PartLength>& out) {
  TWINSET_TRY(failure());
  TWINSET_TRY(open_file());
  TWINSET_TRY(write_all());
  TWINSET_TRY(file_->sync());
  keep_file_ = true;
  out.push_back({file_->path(), file_->bytes(), rows().value()});
  return {};
}

template <Keyed Row>
Status PartitionedRows<Row>::restore(std::span<const PartLength> lengths) {
  assert(!ready_ && !file_);
  for (const PartLength& length : lengths) {
    if (length.path != file_path()) continue;
    TWINSET_ASSIGN(auto file,
                   BlockFile::open(*context().files, length.path, layout(), OpenMode::append));
    TWINSET_TRY(file->truncate(length.bytes));
    const auto damaged = [&](std::string_view how) {
      return io_error(length.path + " can't be continued: " + std::string(how) + "; start anew");
    };
    std::uint64_t rows = 0;
    TWINSET_TRY(file->scan([&](const BlockFile::BlockPlace& block) -> Status {
      if (rows == 0 && block.tag >> tag_bits_shift != bits_) {
        const unsigned bits = block.tag >> tag_bits_shift;
        if (bits > max_bits) return damaged("it has too many partitions");
        if (!divide(bits)) {
          const std::uint64_t bytes =
              (chunks_per_partition << bits) * (block_bytes(1, sizeof(Row)) + 64) / 5 * 8;
          return usage_error("the " + std::to_string(std::uint64_t{1} << bits) + " partitions of " +
                             length.path + " need " + std::to_string(bytes) +
                             " bytes of memory; give a larger " + option("memory"));
        }
      }
      const std::size_t part = block.tag & ((1U << tag_bits_shift) - 1);
      if (block.tag >> tag_bits_shift != bits_ || part >= partitions_.size()) {
        return damaged("its blocks are of no partition");
      }
      if (block_bytes(block.rows, sizeof(Row)) > largest_chunk) {
        return damaged("it has a block larger than any");
      }
      partitions_[part].extents.push_back({block.offset, block.rows, block.rows});
      partitions_[part].rows += block.rows;
      rows += block.rows;
      return context().check_cancelled();
    }));
    if (rows != length.rows) {
      return damaged("it holds " + std::to_string(rows) + " rows, not " +
                     std::to_string(length.rows));
    }
    file_ = std::move(file);
    keep_file_ = true;
    return {};
  }
  return io_error("no length of " + file_path() + " among the checkpoint's; start anew");
}

template <Keyed Row>
Status PartitionedRows<Row>::take_over(const PartLength& other) {
  TWINSET_ASSIGN(auto file,
                 BlockFile::open(*context().files, other.path, layout(), OpenMode::read));
  std::vector<std::byte> block;
  std::uint64_t rows = 0;
  TWINSET_TRY(file->scan([&](const BlockFile::BlockPlace& place) -> Status {
    if (rows == other.rows) return {};  // Written after the checkpoint.
    if (block_bytes(place.rows, sizeof(Row)) > largest_chunk) {
      return io_error(other.path + " has a block larger than any; make it again");
    }
    block.resize(block_bytes(place.rows, sizeof(Row)));
    TWINSET_TRY(file->read(place.offset, place.tag, block.data(), place.rows));
    rows += place.rows;
    return append({reinterpret_cast<const Row*>(block.data() + block_header_bytes), place.rows});
  }));
  if (rows == other.rows) return {};
  return io_error(other.path + " holds " + std::to_string(rows) + " rows, not " +
                  std::to_string(other.rows) + "; make it again");
}

// Grouping.

template <Keyed Row>
PartitionView<Row> PartitionedRows<Row>::view(std::size_t part) const {
  const Partition& partition = partitions_[part];
  PartitionView<Row> shown{.rows = partition.rows,
                           .held = {},
                           .extents = partition.extents,
                           .file = file_.get(),
                           .tag = tag(part)};
  for (const std::uint32_t number : partition.full) {
    shown.held.emplace_back(chunk_rows(number), rows_per_chunk_);
  }
  if (partition.filled > 0) shown.held.emplace_back(chunk_rows(partition.open), partition.filled);
  return shown;
}

template <Keyed Row>
template <class Keep, class Less, class MakeVisitor>
Status PartitionedRows<Row>::for_each_group(Keep&& keep, Less less, MakeVisitor&& make_visitor,
                                            Groups groups) {
  using Visitor = std::remove_cvref_t<decltype(make_visitor(0U))>;
  using Grouper = PartitionGrouper<Row, std::remove_reference_t<Keep>, Less, Visitor>;
  TWINSET_TRY(failure());
  std::uint64_t memory = options_.memory_bytes - pool_bytes();
  if (file_) {
    TWINSET_TRY(write_all());
    ready_ = false;
    pool_ = {};
    memory = options_.memory_bytes;
  }
  // As many workers as have memory for a partition of typical size.
  std::vector<std::uint64_t> sizes;
  for (const Partition& partition : partitions_) sizes.push_back(partition.rows);
  std::nth_element(sizes.begin(), sizes.begin() + sizes.size() / 2, sizes.end());
  const std::uint64_t usual = Grouper::bytes_needed(sizes[sizes.size() / 2] / 4 * 5);
  const auto workers = static_cast<unsigned>(std::clamp<std::uint64_t>(
      memory / usual, 1, std::min<std::uint64_t>(threads(), partitions_.size())));

  std::vector<std::unique_ptr<Visitor>> visitors;
  for (unsigned worker = 0; worker < workers; ++worker) {
    visitors.emplace_back(new Visitor(make_visitor(worker)));
  }
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stop = false;
  return run_workers(workers, [&](unsigned worker) -> Status {
    const Status grouped = [&]() -> Status {
      RowsOptions options = options_;
      options.path += ".sort" + std::to_string(worker);
      options.memory_bytes = memory / workers;
      Grouper grouper(options, groups, keep, less, *visitors[worker]);
      for (std::size_t part = next++; part < partitions_.size() && !stop; part = next++) {
        TWINSET_TRY(grouper.group(view(part)));
      }
      return stop ? Status() : visitors[worker]->finish();
    }();
    if (!grouped.ok()) stop = true;
    return grouped;
  });
}

}  // namespace twinset

// Rows in any order, out of core: sorted runs, merged as they are read.
//
//   SortedRows<Pair, PairLess> pairs(options);
//   pairs.append(batch);                  // any thread
//   pairs.seal();
//   auto cursor = pairs.read();           // as often as wanted
//   while (const Pair* pair = cursor.value()->peek()) { ...; cursor.value()->advance(); }
//
// Rows go to buffers, one or more a thread. When all are full, one is sorted, all but one of its
// equal rows are dropped, and it is written as a run. seal() merges more runs than one merge can
// hold in passes. The rows read depend only on the rows added.
//
// Threads: append() from any; read() from any after seal().
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rows/block_file.h"
#include "rows/cursor.h"
#include "rows/merge.h"
#include "rows/options.h"
#include "rows/region.h"
#include "rows/sort.h"
#include "system/threads.h"

namespace twinset {

template <PlainRow Row, class Less>
class SortedRows {
 public:
  /// A smaller options.memory_bytes counts as this.
  static constexpr std::uint64_t least_memory(unsigned threads) {
    return std::max<unsigned>(threads, 1) * std::uint64_t{16} * (4096 + sizeof(Row));
  }

  explicit SortedRows(const RowsOptions& options, Less less = {})
      : context_(options.context),
        path_(options.path),
        fingerprint_(options.fingerprint),
        less_(std::move(less)) {
    const unsigned threads = std::max(1U, context_->threads);
    const std::uint64_t memory = std::max(options.memory_bytes, least_memory(threads));
    // Blocks of 32 KiB and more, so that calls cost little; smaller ones if memory is small, so
    // that one merge takes more than a few.
    const std::uint64_t block = std::clamp<std::uint64_t>(
        std::max(memory / 256, std::min<std::uint64_t>(memory / 32, 33 << 10)),
        block_bytes(1, sizeof(Row)) + 2048, 128 << 10);
    block_rows_ = static_cast<std::uint32_t>((block - block_header_bytes) / sizeof(Row));
    fan_in_ =
        static_cast<std::size_t>(std::clamp<std::uint64_t>(memory / 4 / room_for_block(), 2, 512));
    const std::uint64_t for_rows = memory - threads * room_for_block();
    const std::uint64_t buffers =
        std::max<std::uint64_t>(threads, (for_rows + largest_buffer - 1) / largest_buffer);
    buffer_rows_ = static_cast<std::size_t>(for_rows / buffers / sizeof(Row));
    buffers_.resize(static_cast<std::size_t>(buffers));
  }

  /// Removes the files.
  ~SortedRows() {
    [[maybe_unused]] const Status removed = discard();  // A leftover file is harmless.
  }
  SortedRows(const SortedRows&) = delete;
  SortedRows& operator=(const SortedRows&) = delete;

  Status append(const Row& row) { return append(std::span<const Row>(&row, 1)); }
  /// Adds rows. Errors: of writing a run (then the store is lost), interrupted.
  Status append(std::span<const Row> rows) {
    if (rows.empty()) return {};
    if (sealed_) return io_error(path_ + " is sealed; no row can be added");
    TWINSET_TRY(context_->check_cancelled());
    added_.fetch_add(rows.size(), std::memory_order_relaxed);
    while (!rows.empty()) {
      Buffer* buffer = nullptr;
      TWINSET_TRY(take(buffer));
      const std::size_t count = std::min(rows.size(), buffer_rows_ - buffer->rows);
      std::memcpy(buffer->first + buffer->rows, rows.data(), count * sizeof(Row));
      buffer->rows += count;
      rows = rows.subspan(count);
      give_back(buffer);
    }
    return {};
  }

  /// Ends adding. Errors: as append().
  Status seal() {
    if (sealed_) return {};
    TWINSET_TRY(failure());
    TWINSET_TRY(sort_buffers());
    if (file_) {
      region_ = {};
      buffers_.clear();
      TWINSET_TRY(merge_to_fan_in());
    }
    sealed_ = true;
    return {};
  }

  /// All rows in order. The store must outlive the cursor, which holds at most a quarter of
  /// memory_bytes.
  Result<std::unique_ptr<RowCursor<Row>>> read() const {
    if (!sealed_) return io_error(path_ + " is read before it is sealed");
    if (file_) return merge_stored(*file_, runs_);
    std::vector<RunReader<Row>> readers;
    for (const Buffer& buffer : buffers_) {
      if (buffer.rows > 0) readers.emplace_back(std::span<const Row>(buffer.first, buffer.rows));
    }
    return merge(std::move(readers), {});
  }

  /// The number of rows that read() yields; unknown if several runs may share rows.
  std::optional<std::uint64_t> size() const {
    if (!sealed_) return std::nullopt;
    std::uint64_t rows = 0;
    std::size_t runs = runs_.size();
    for (const StoredRun& run : runs_) rows += run.rows;
    for (const Buffer& buffer : buffers_) {
      rows += buffer.rows;
      runs += buffer.rows > 0 ? 1 : 0;
    }
    if (runs > 1) return std::nullopt;
    return rows;
  }

  /// Rows given to append(), equal ones counted each time.
  std::uint64_t rows_added() const { return added_; }
  /// Bytes written to files so far.
  std::uint64_t spilled_bytes() const { return spilled_; }

  /// Drops all rows and removes the files.
  Status discard() {
    region_ = {};
    buffers_.clear();
    runs_.clear();
    sealed_ = true;
    if (!file_) return {};
    const std::string path = file_->path();
    file_.reset();
    return remove_if_there(*context_->files, path);
  }

 private:
  static constexpr std::uint64_t largest_buffer = std::uint64_t{128} << 20;

  struct Buffer {
    Row* first = nullptr;
    std::size_t rows = 0;
    bool taken = false;
  };

  std::uint64_t room_for_block() const {
    return (block_bytes(block_rows_, sizeof(Row)) + 63) / 64 * 64;
  }
  BlockLayout layout() const {
    return {.format = "runs", .row_bytes = sizeof(Row), .fingerprint = fingerprint_};
  }

  /// A buffer with room, for this thread alone: the emptiest of as many as there are threads, so
  /// that all sort about as much at the end. If none has room, a full one is sorted and, unless
  /// that halved it, written out.
  Status take(Buffer*& taken) {
    std::unique_lock lock(mutex_);
    Buffer* full = nullptr;
    while (true) {
      if (!failure_.ok()) return failure_;
      if (region_.data() == nullptr) TWINSET_TRY(allocate());
      full = nullptr;
      Buffer* emptiest = nullptr;
      unsigned open = 0;
      for (Buffer& buffer : buffers_) {
        if (open == std::max(1U, context_->threads)) break;
        if (buffer.taken) {  // Another thread fills it.
          ++open;
        } else if (buffer.rows == buffer_rows_) {
          full = &buffer;
        } else {
          ++open;
          if (emptiest == nullptr || buffer.rows < emptiest->rows) emptiest = &buffer;
        }
      }
      if (emptiest != nullptr) {
        emptiest->taken = true;
        taken = emptiest;
        return {};
      }
      if (full != nullptr) break;
      returned_.wait(lock);
    }
    full->taken = true;
    lock.unlock();
    Status written = sort(*full);
    if (written.ok() && full->rows > buffer_rows_ / 2) written = write_run(*full);
    if (!written.ok()) {
      lock.lock();
      full->taken = false;
      failure_ = written;
      returned_.notify_all();
      return written;
    }
    taken = full;
    return {};
  }

  void give_back(Buffer* buffer) {
    {
      const std::lock_guard lock(mutex_);
      buffer->taken = false;
    }
    returned_.notify_one();
  }

  /// Memory for all buffers, followed by a block for each thread.
  Status allocate() {
    TWINSET_ASSIGN(region_, Region::make(buffers_.size() * buffer_rows_ * sizeof(Row)));
    region_.use_large_pages();
    Row* next = reinterpret_cast<Row*>(region_.data());
    for (Buffer& buffer : buffers_) {
      buffer.first = next;
      next += buffer_rows_;
    }
    return {};
  }

  Status failure() {
    const std::lock_guard lock(mutex_);
    return failure_;
  }

  /// Sorts a buffer's rows and drops all but one of equal ones.
  Status sort(Buffer& buffer) {
    TWINSET_TRY(context_->check_cancelled());
    Row* const begin = buffer.first;
    Row* const end = begin + buffer.rows;
    sort_rows(std::span(begin, buffer.rows), less_);
    if (begin == end) return {};
    Row* kept = begin;
    for (const Row* row = begin + 1; row != end; ++row) {
      if (less_(*kept, *row)) {
        *++kept = *row;
      } else {
        keep_least(*kept, *row);
      }
    }
    buffer.rows = static_cast<std::size_t>(kept + 1 - begin);
    return {};
  }

  /// Writes a sorted buffer as a run and empties it.
  Status write_run(Buffer& buffer) {
    BlockFile* file = nullptr;
    {
      const std::lock_guard lock(mutex_);
      if (!file_) {
        TWINSET_ASSIGN(file_, BlockFile::create(*context_->files, path_ + ".runs0", layout()));
      }
      file = file_.get();
    }
    TWINSET_ASSIGN(Region block, Region::make(room_for_block()));
    const std::uint64_t blocks = (buffer.rows + block_rows_ - 1) / block_rows_;
    const std::uint64_t bytes = blocks * block_header_bytes + buffer.rows * sizeof(Row);
    const StoredRun run{file->reserve(bytes), buffer.rows};
    std::uint64_t offset = run.offset;
    for (std::size_t done = 0; done < buffer.rows;) {
      TWINSET_TRY(context_->check_cancelled());
      const std::size_t count = std::min<std::size_t>(block_rows_, buffer.rows - done);
      std::memcpy(block.data() + block_header_bytes, buffer.first + done, count * sizeof(Row));
      TWINSET_TRY(file->write(offset, block.data(), 0, static_cast<std::uint32_t>(count)));
      offset += block_bytes(count, sizeof(Row));
      done += count;
    }
    spilled_ += bytes;
    buffer.rows = 0;
    const std::lock_guard lock(mutex_);
    runs_.push_back(run);
    return {};
  }

  /// Sorts all buffers, on all threads; writes them if a run was written before.
  Status sort_buffers() {
    std::atomic<std::size_t> next = 0;
    const bool spill = file_ != nullptr;
    const auto workers = static_cast<unsigned>(
        std::min<std::size_t>(std::max(1U, context_->threads), buffers_.size()));
    return run_workers(workers, [&](unsigned) -> Status {
      for (std::size_t i = next++; i < buffers_.size(); i = next++) {
        if (buffers_[i].rows == 0) continue;
        TWINSET_TRY(sort(buffers_[i]));
        if (spill) TWINSET_TRY(write_run(buffers_[i]));
      }
      return {};
    });
  }

  /// Merges runs in passes, each into a new file, until one merge holds all.
  Status merge_to_fan_in() {
    for (unsigned pass = 1; runs_.size() > fan_in_; ++pass) {
      const std::string next_path = path_ + ".runs" + (pass % 2 == 1 ? "1" : "0");
      TWINSET_ASSIGN(auto made, BlockFile::create(*context_->files, next_path, layout()));
      Result<std::vector<StoredRun>> merged = merge_pass(*made);
      if (!merged.ok()) {
        made.reset();
        // Report the failure before this one.
        [[maybe_unused]] const Status removed = remove_if_there(*context_->files, next_path);
        return merged.error();
      }
      const std::string old_path = file_->path();
      file_ = std::move(made);
      runs_ = std::move(merged).value();
      TWINSET_TRY(remove_if_there(*context_->files, old_path));
    }
    return {};
  }

  Result<std::vector<StoredRun>> merge_pass(BlockFile& out) {
    TWINSET_ASSIGN(Region block, Region::make(room_for_block()));
    Row* const rows = reinterpret_cast<Row*>(block.data() + block_header_bytes);
    std::vector<StoredRun> merged;
    for (std::size_t first = 0; first < runs_.size(); first += fan_in_) {
      const std::size_t count = std::min(fan_in_, runs_.size() - first);
      TWINSET_ASSIGN(auto cursor, merge_stored(*file_, std::span(runs_).subspan(first, count)));
      StoredRun run{out.bytes(), 0};
      std::uint32_t filled = 0;
      const auto write = [&]() -> Status {
        const std::uint64_t bytes = block_bytes(filled, sizeof(Row));
        TWINSET_TRY(out.write(out.reserve(bytes), block.data(), 0, filled));
        spilled_ += bytes;
        run.rows += filled;
        filled = 0;
        return {};
      };
      while (const Row* row = cursor->peek()) {
        rows[filled++] = *row;
        cursor->advance();
        if (filled == block_rows_) TWINSET_TRY(write());
      }
      if (!cursor->status().ok()) return cursor->status().error();
      if (filled > 0) TWINSET_TRY(write());
      merged.push_back(run);
    }
    return merged;
  }

  Result<std::unique_ptr<RowCursor<Row>>> merge_stored(const BlockFile& file,
                                                       std::span<const StoredRun> runs) const {
    TWINSET_ASSIGN(Region buffers, Region::make(runs.size() * room_for_block()));
    std::vector<RunReader<Row>> readers;
    std::byte* block = buffers.data();
    for (const StoredRun& run : runs) {
      readers.emplace_back(file, run, block, block_rows_);
      block += room_for_block();
    }
    return merge(std::move(readers), std::move(buffers));
  }

  Result<std::unique_ptr<RowCursor<Row>>> merge(std::vector<RunReader<Row>> readers,
                                                Region buffers) const {
    if (readers.empty()) readers.emplace_back(std::span<const Row>());
    std::unique_ptr<RowCursor<Row>> cursor;
    if (readers.size() == 1) {
      cursor =
          std::make_unique<RunCursor<Row>>(*context_, std::move(readers[0]), std::move(buffers));
    } else {
      cursor = std::make_unique<MergeCursor<Row, Less>>(*context_, std::move(readers),
                                                        std::move(buffers), less_);
    }
    return cursor;
  }

  const RunContext* context_;
  std::string path_;
  std::uint64_t fingerprint_;
  Less less_;
  std::uint32_t block_rows_ = 0;
  std::size_t fan_in_ = 0;
  std::size_t buffer_rows_ = 0;

  std::mutex mutex_;
  std::condition_variable returned_;
  Region region_;
  std::vector<Buffer> buffers_;
  std::unique_ptr<BlockFile> file_;
  std::vector<StoredRun> runs_;
  Status failure_;
  std::atomic<std::uint64_t> added_ = 0;
  std::atomic<std::uint64_t> spilled_ = 0;
  bool sealed_ = false;
};

}  // namespace twinset

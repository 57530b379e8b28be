// What all SortedRows (rows/sorted_rows.h) share, whatever their rows are: buffers, runs in files,
// and the passes that merge these. Only sorting and merging know a row; the class derived does
// both.
//
// Threads: append_bytes() from any; open_runs() from any after seal(); the rest one at a time.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rows/block_file.h"
#include "rows/options.h"
#include "rows/region.h"

namespace twinset {

/// A sorted run in a file: full blocks from `offset` on, only the last may be short.
struct StoredRun {
  std::uint64_t offset = 0;
  std::uint64_t rows = 0;
};

/// Rows of one sorted run, a batch at a time.
class RunReader {
 public:
  /// Rows that stay in memory.
  explicit RunReader(std::span<const std::byte> rows) : batch_(rows) {}
  /// Rows of a file; `block` has room for block_rows rows and the header.
  RunReader(const BlockFile& file, StoredRun run, std::byte* block, std::uint32_t block_rows,
            std::size_t row_bytes)
      : file_(&file), run_(run), block_(block), block_rows_(block_rows), row_bytes_(row_bytes) {}

  template <PlainRow Row>
  std::span<const Row> batch() const {
    return {reinterpret_cast<const Row*>(batch_.data()), batch_.size() / sizeof(Row)};
  }
  /// Goes to the next batch, which is empty at the end; then false.
  Result<bool> load();

 private:
  const BlockFile* file_ = nullptr;
  StoredRun run_;
  std::byte* block_ = nullptr;
  std::uint32_t block_rows_ = 0;
  std::size_t row_bytes_ = 0;
  std::span<const std::byte> batch_;
};

/// Runs to merge, and the memory of their blocks. At least one run.
struct OpenRuns {
  std::vector<RunReader> runs;
  Region buffers;
};

/// Writes a run at the end of a file.
class RunWriter {
 public:
  /// `block` has room for block_rows rows and the header.
  RunWriter(BlockFile& file, std::byte* block, std::uint32_t block_rows, std::size_t row_bytes)
      : file_(file),
        block_(block),
        block_rows_(block_rows),
        row_bytes_(row_bytes),
        run_{file.bytes(), 0} {}

  /// The next row; all are of one type.
  template <PlainRow Row>
  Status add(const Row& row) {
    reinterpret_cast<Row*>(block_ + block_header_bytes)[filled_++] = row;
    return filled_ == block_rows_ ? write() : Status();
  }
  Result<StoredRun> finish();

 private:
  Status write();

  BlockFile& file_;
  std::byte* block_;
  std::uint32_t block_rows_;
  std::size_t row_bytes_;
  std::uint32_t filled_ = 0;
  StoredRun run_;
};

class Sorter {
 public:
  Sorter(const Sorter&) = delete;
  Sorter& operator=(const Sorter&) = delete;

  /// Ends adding. Errors: of writing a run (then the store is lost), interrupted.
  Status seal();

  /// The number of rows that are read; unknown if several runs may share rows.
  std::optional<std::uint64_t> size() const;
  /// Rows added, equal ones counted each time.
  std::uint64_t rows_added() const { return added_; }
  /// Bytes written to files so far.
  std::uint64_t spilled_bytes() const { return spilled_; }

  /// Drops all rows and removes the files.
  Status discard();

 protected:
  Sorter(const RowsOptions& options, std::size_t row_bytes);
  /// Removes the files.
  virtual ~Sorter();

  /// A smaller RowsOptions::memory_bytes counts as this.
  static constexpr std::uint64_t least_bytes(unsigned threads, std::size_t row_bytes) {
    return std::max<unsigned>(threads, 1) * std::uint64_t{16} * (4096 + row_bytes);
  }
  const RunContext& context() const { return *context_; }

  /// Adds rows, whose bytes these are. Errors: as seal().
  Status append_bytes(std::span<const std::byte> rows);
  /// All runs, to be merged.
  Result<OpenRuns> open_runs() const;

  /// Sorts rows in place and moves those that stay, one of equal ones, to the front; returns how
  /// many stay. Called from several threads.
  virtual std::size_t sort(std::byte* rows, std::size_t count) const = 0;
  /// Writes the rows of all runs, merged.
  virtual Status merge(OpenRuns runs, RunWriter& out) const = 0;

 private:
  struct Buffer {
    std::byte* first = nullptr;
    std::size_t rows = 0;
    bool taken = false;
  };

  std::uint64_t room_for_block() const;
  BlockLayout layout() const;
  Status take(Buffer*& taken);
  void give_back(Buffer* buffer);
  Status allocate();
  Status failure();
  Status sort_buffer(Buffer& buffer);
  Status write_run(Buffer& buffer);
  Status sort_buffers();
  Status merge_to_fan_in();
  Result<std::vector<StoredRun>> merge_pass(BlockFile& out);
  Result<OpenRuns> open_stored(const BlockFile& file, std::span<const StoredRun> runs) const;

  const RunContext* context_;
  std::string path_;
  std::uint64_t fingerprint_;
  std::size_t row_bytes_;
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

// Rows go to buffers, one or more a thread. When all are full, one is sorted and written as a run.
//
// This file's interface is rows/sorter.h; the rest is private.
#include "rows/sorter.h"

#include <cstring>

#include "system/clean_up.h"
#include "system/threads.h"

namespace twinset {
namespace {

constexpr std::uint64_t largest_buffer = std::uint64_t{128} << 20;

}  // namespace

Result<bool> RunReader::load() {
  batch_ = {};
  if (run_.rows == 0) return false;
  const auto expected = static_cast<std::uint32_t>(std::min<std::uint64_t>(run_.rows, block_rows_));
  TWINSET_ASSIGN(const std::uint32_t rows, file_->read(run_.offset, 0, block_, expected));
  if (rows != expected) {
    return io_error(file_->path() + " is damaged: the block at byte " +
                    std::to_string(run_.offset) + " has too few rows; run again");
  }
  run_.offset += block_bytes(expected, row_bytes_);
  run_.rows -= expected;
  batch_ = {block_ + block_header_bytes, expected * row_bytes_};
  return true;
}

Status RunWriter::write() {
  TWINSET_TRY(file_.write(file_.reserve(block_bytes(filled_, row_bytes_)), block_, 0, filled_));
  run_.rows += filled_;
  filled_ = 0;
  return {};
}

Result<StoredRun> RunWriter::finish() {
  if (filled_ > 0) TWINSET_TRY(write());
  return run_;
}

Sorter::Sorter(const RowsOptions& options, std::size_t row_bytes)
    : context_(options.context),
      path_(options.path),
      fingerprint_(options.fingerprint),
      row_bytes_(row_bytes) {
  const unsigned threads = std::max(1U, context_->threads);
  const std::uint64_t memory = std::max(options.memory_bytes, least_bytes(threads, row_bytes));
  // Blocks of 32 KiB and more, so that calls cost little; smaller ones if memory is small, so
  // that one merge takes more than a few.
  const std::uint64_t block = std::clamp<std::uint64_t>(
      std::max(memory / 256, std::min<std::uint64_t>(memory / 32, 33 << 10)),
      block_bytes(1, row_bytes) + 2048, 128 << 10);
  block_rows_ = static_cast<std::uint32_t>((block - block_header_bytes) / row_bytes);
  fan_in_ =
      static_cast<std::size_t>(std::clamp<std::uint64_t>(memory / 4 / room_for_block(), 2, 512));
  const std::uint64_t for_rows = memory - threads * room_for_block();
  const std::uint64_t buffers =
      std::max<std::uint64_t>(threads, (for_rows + largest_buffer - 1) / largest_buffer);
  buffer_rows_ = static_cast<std::size_t>(for_rows / buffers / row_bytes);
  buffers_.resize(static_cast<std::size_t>(buffers));
}

Sorter::~Sorter() {
  clean_up([&] { return discard(); });
}

std::uint64_t Sorter::room_for_block() const {
  return (block_bytes(block_rows_, row_bytes_) + 63) / 64 * 64;
}

BlockLayout Sorter::layout() const {
  return {.format = "runs",
          .row_bytes = static_cast<std::uint32_t>(row_bytes_),
          .fingerprint = fingerprint_};
}

// Adding.

Status Sorter::append_bytes(std::span<const std::byte> rows) {
  if (rows.empty()) return {};
  if (sealed_) return io_error(path_ + " is sealed; no row can be added");
  TWINSET_TRY(context_->check_cancelled());
  added_.fetch_add(rows.size() / row_bytes_, std::memory_order_relaxed);
  while (!rows.empty()) {
    Buffer* buffer = nullptr;
    TWINSET_TRY(take(buffer));
    const std::size_t count = std::min(rows.size() / row_bytes_, buffer_rows_ - buffer->rows);
    std::memcpy(buffer->first + buffer->rows * row_bytes_, rows.data(), count * row_bytes_);
    buffer->rows += count;
    rows = rows.subspan(count * row_bytes_);
    give_back(buffer);
  }
  return {};
}

/// A buffer with room, for this thread alone: the emptiest of as many as there are threads, so
/// that all sort about as much at the end. If none has room, a full one is sorted and, unless
/// that halved it, written out.
Status Sorter::take(Buffer*& taken) {
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
  Status written = sort_buffer(*full);
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

void Sorter::give_back(Buffer* buffer) {
  {
    const std::lock_guard lock(mutex_);
    buffer->taken = false;
  }
  returned_.notify_one();
}

Status Sorter::allocate() {
  TWINSET_ASSIGN(region_, Region::make(buffers_.size() * buffer_rows_ * row_bytes_));
  region_.use_large_pages();
  std::byte* next = region_.data();
  for (Buffer& buffer : buffers_) {
    buffer.first = next;
    next += buffer_rows_ * row_bytes_;
  }
  return {};
}

Status Sorter::failure() {
  const std::lock_guard lock(mutex_);
  return failure_;
}

Status Sorter::sort_buffer(Buffer& buffer) {
  TWINSET_TRY(context_->check_cancelled());
  if (buffer.rows > 0) buffer.rows = sort(buffer.first, buffer.rows);
  return {};
}

/// Writes a sorted buffer as a run and empties it.
Status Sorter::write_run(Buffer& buffer) {
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
  const std::uint64_t bytes = blocks * block_header_bytes + buffer.rows * row_bytes_;
  const StoredRun run{file->reserve(bytes), buffer.rows};
  std::uint64_t offset = run.offset;
  for (std::size_t done = 0; done < buffer.rows;) {
    TWINSET_TRY(context_->check_cancelled());
    const std::size_t count = std::min<std::size_t>(block_rows_, buffer.rows - done);
    std::memcpy(block.data() + block_header_bytes, buffer.first + done * row_bytes_,
                count * row_bytes_);
    TWINSET_TRY(file->write(offset, block.data(), 0, static_cast<std::uint32_t>(count)));
    offset += block_bytes(count, row_bytes_);
    done += count;
  }
  spilled_ += bytes;
  buffer.rows = 0;
  const std::lock_guard lock(mutex_);
  runs_.push_back(run);
  return {};
}

Status Sorter::seal() {
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

/// Sorts all buffers, on all threads; writes them if a run was written before.
Status Sorter::sort_buffers() {
  std::atomic<std::size_t> next = 0;
  const bool spill = file_ != nullptr;
  const auto workers = static_cast<unsigned>(
      std::min<std::size_t>(std::max(1U, context_->threads), buffers_.size()));
  return run_workers(workers, [&](unsigned) -> Status {
    for (std::size_t i = next++; i < buffers_.size(); i = next++) {
      if (buffers_[i].rows == 0) continue;
      TWINSET_TRY(sort_buffer(buffers_[i]));
      if (spill) TWINSET_TRY(write_run(buffers_[i]));
    }
    return {};
  });
}

// Merging.

/// Merges runs in passes, each into a new file, until one merge holds all.
Status Sorter::merge_to_fan_in() {
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
    spilled_ += made->bytes() - file_header_bytes;
    const std::string old_path = file_->path();
    file_ = std::move(made);
    runs_ = std::move(merged).value();
    TWINSET_TRY(remove_if_there(*context_->files, old_path));
  }
  return {};
}

Result<std::vector<StoredRun>> Sorter::merge_pass(BlockFile& out) {
  TWINSET_ASSIGN(Region block, Region::make(room_for_block()));
  std::vector<StoredRun> merged;
  for (std::size_t first = 0; first < runs_.size(); first += fan_in_) {
    const std::size_t count = std::min(fan_in_, runs_.size() - first);
    TWINSET_ASSIGN(OpenRuns runs, open_stored(*file_, std::span(runs_).subspan(first, count)));
    RunWriter writer(out, block.data(), block_rows_, row_bytes_);
    TWINSET_TRY(merge(std::move(runs), writer));
    TWINSET_ASSIGN(const StoredRun run, writer.finish());
    merged.push_back(run);
  }
  return merged;
}

Result<OpenRuns> Sorter::open_runs() const {
  if (!sealed_) return io_error(path_ + " is read before it is sealed");
  if (file_) return open_stored(*file_, runs_);
  OpenRuns open;
  for (const Buffer& buffer : buffers_) {
    if (buffer.rows > 0) {
      open.runs.emplace_back(std::span<const std::byte>(buffer.first, buffer.rows * row_bytes_));
    }
  }
  if (open.runs.empty()) open.runs.emplace_back(std::span<const std::byte>());
  return open;
}

Result<OpenRuns> Sorter::open_stored(const BlockFile& file, std::span<const StoredRun> runs) const {
  OpenRuns open;
  TWINSET_ASSIGN(open.buffers, Region::make(runs.size() * room_for_block()));
  std::byte* block = open.buffers.data();
  for (const StoredRun& run : runs) {
    open.runs.emplace_back(file, run, block, block_rows_, row_bytes_);
    block += room_for_block();
  }
  return open;
}

std::optional<std::uint64_t> Sorter::size() const {
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

Status Sorter::discard() {
  region_ = {};
  buffers_.clear();
  runs_.clear();
  sealed_ = true;
  if (!file_) return {};
  const std::string path = file_->path();
  file_.reset();
  return remove_if_there(*context_->files, path);
}

}  // namespace twinset

// Rows in the order written, in one checksummed file: write, seal, read often.
//
//   RowFile<SketchRow> sketches(options);          // the file is options.path
//   sketches.append(row);
//   sketches.seal();
//   auto cursor = sketches.read();                 // as often as wanted
//   auto again = RowFile<SketchRow>::open(context, path, fingerprint);
//
// Holds two blocks of 64 KiB at most, whatever options.memory_bytes says; a
// cursor holds one. The file stays when the object goes; discard() removes it.
//
// Threads: append() one thread at a time; read() from any, each cursor its own.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rows/block_file.h"
#include "rows/cursor.h"
#include "rows/options.h"
#include "twinset/result.h"

namespace twinset {

template <PlainRow Row>
class RowFile {
 public:
  /// Rows of a full block.
  static constexpr std::uint32_t block_rows = static_cast<std::uint32_t>(
      std::max<std::size_t>(1, ((std::size_t{64} << 10) - block_header_bytes) / sizeof(Row)));

  explicit RowFile(const RowsOptions& options)
      : context_(options.context), path_(options.path), fingerprint_(options.fingerprint) {}

  /// Opens a sealed file. Errors (io): missing, damaged, of another scheme or
  /// row, or never sealed.
  static Result<std::unique_ptr<RowFile>> open(const RunContext& context, const std::string& path,
                                               std::uint64_t fingerprint) {
    auto opened = std::make_unique<RowFile>(
        RowsOptions{.context = &context, .path = path, .fingerprint = fingerprint});
    TWINSET_ASSIGN(opened->file_,
                   BlockFile::open(*context.files, path, opened->layout(), OpenMode::read));
    opened->rows_ = opened->file_->sealed_rows();
    if (opened->rows_ == BlockFile::unsealed) {
      return io_error(path + " was never finished; remove it and run again");
    }
    opened->sealed_ = true;
    return opened;
  }

  Status append(const Row& row) { return append(std::span<const Row>(&row, 1)); }
  Status append(std::span<const Row> rows) {
    if (buffer_.empty()) TWINSET_TRY(start());
    while (!rows.empty()) {
      if (filled_ == block_rows) TWINSET_TRY(write_block());
      const std::size_t count = std::min<std::size_t>(rows.size(), block_rows - filled_);
      std::memcpy(buffered() + filled_, rows.data(), count * sizeof(Row));
      filled_ += static_cast<std::uint32_t>(count);
      rows_ += count;
      rows = rows.subspan(count);
    }
    return {};
  }

  /// Ends writing; the file is now complete but not synced: a power loss may leave less of it,
  /// which is then an Error to read. See sync().
  Status seal() {
    if (sealed_) return {};
    if (buffer_.empty()) TWINSET_TRY(start());
    if (filled_ > 0) TWINSET_TRY(write_block());
    TWINSET_TRY(file_->seal(rows_));
    buffer_ = {};
    sealed_ = true;
    return {};
  }

  /// Brings a sealed file to disk, so that it survives a power loss.
  Status sync() {
    if (!sealed_) return io_error(path_ + " is synced before it is sealed");
    return file_->sync();
  }

  /// A cursor over the rows of a sealed file, which must outlive it.
  Result<std::unique_ptr<RowCursor<Row>>> read() const {
    if (!sealed_) return io_error(path_ + " is read before it is sealed");
    return std::unique_ptr<RowCursor<Row>>(std::make_unique<Cursor>(*context_, *file_, rows_));
  }

  std::uint64_t rows() const { return rows_; }
  const std::string& path() const { return path_; }

  /// Brings all rows so far to disk and says how far the file has come.
  Status checkpoint(PartLength& out) {
    if (buffer_.empty()) TWINSET_TRY(start());
    if (filled_ > 0) TWINSET_TRY(write_block());
    TWINSET_TRY(file_->sync());
    out = {path_, file_->bytes(), rows_};
    return {};
  }

  /// Before any append: continues from a killed run's checkpoint; rows after it are cut. Errors
  /// (io): the file is missing, shorter or damaged.
  Status restore(const PartLength& length) {
    TWINSET_ASSIGN(auto file, BlockFile::open(*context_->files, path_, layout(), OpenMode::append));
    TWINSET_TRY(file->truncate(length.bytes));
    std::uint64_t rows = 0;
    TWINSET_TRY(file->scan([&](const BlockFile::BlockPlace& block) -> Status {
      rows += block.rows;
      return context_->check_cancelled();
    }));
    if (rows != length.rows) {
      return io_error(path_ + " holds " + std::to_string(rows) + " rows where " +
                      std::to_string(length.rows) + " were written; start anew");
    }
    file_ = std::move(file);
    rows_ = rows;
    buffer_.resize(static_cast<std::size_t>(block_bytes(block_rows, sizeof(Row))) + alignment);
    return {};
  }

  /// Removes the file.
  Status discard() {
    file_.reset();
    buffer_ = {};
    return remove_if_there(*context_->files, path_);
  }

 private:
  static constexpr std::size_t alignment = 16;

  class Cursor final : public RowCursor<Row> {
   public:
    Cursor(const RunContext& context, const BlockFile& file, std::uint64_t rows)
        : context_(context),
          file_(file),
          rows_left_(rows),
          buffer_(static_cast<std::size_t>(block_bytes(block_rows, sizeof(Row))) + alignment) {}

   private:
    Result<bool> refill() override {
      TWINSET_TRY(context_.check_cancelled());
      if (rows_left_ == 0) {
        if (offset_ == file_.bytes()) return false;
        return io_error(file_.path() + " is damaged: it goes on after its last row at byte " +
                        std::to_string(offset_) + "; remove it and run again");
      }
      std::byte* const block = aligned(buffer_);
      const Result<std::uint32_t> rows = file_.read(offset_, 0, block, block_rows);
      if (!rows.ok()) return rows.error();
      if (rows.value() > rows_left_) {
        return io_error(file_.path() + " is damaged: it has more rows than its header says; " +
                        "remove it and run again");
      }
      rows_left_ -= rows.value();
      offset_ += block_bytes(rows.value(), sizeof(Row));
      const Row* const first = reinterpret_cast<const Row*>(block + block_header_bytes);
      this->show(first, first + rows.value());
      return true;
    }

    const RunContext& context_;
    const BlockFile& file_;
    std::uint64_t rows_left_;
    std::uint64_t offset_ = file_header_bytes;
    std::vector<std::byte> buffer_;
  };

  static std::byte* aligned(std::vector<std::byte>& buffer) {
    const auto address = reinterpret_cast<std::uintptr_t>(buffer.data());
    return buffer.data() + (alignment - address % alignment) % alignment;
  }
  Row* buffered() { return reinterpret_cast<Row*>(aligned(buffer_) + block_header_bytes); }

  BlockLayout layout() const {
    return {.format = "rows", .row_bytes = sizeof(Row), .fingerprint = fingerprint_};
  }

  Status start() {
    if (sealed_) return io_error(path_ + " is sealed; no row can be added");
    if (!file_) {
      TWINSET_ASSIGN(file_, BlockFile::create(*context_->files, path_, layout()));
    }
    buffer_.resize(static_cast<std::size_t>(block_bytes(block_rows, sizeof(Row))) + alignment);
    return {};
  }

  Status write_block() {
    TWINSET_TRY(context_->check_cancelled());
    const std::uint64_t bytes = block_bytes(filled_, sizeof(Row));
    TWINSET_TRY(file_->write(file_->bytes(), aligned(buffer_), 0, filled_));
    file_->reserve(bytes);
    filled_ = 0;
    return {};
  }

  const RunContext* context_;
  std::string path_;
  std::uint64_t fingerprint_;
  std::unique_ptr<BlockFile> file_;
  std::vector<std::byte> buffer_;
  std::uint32_t filled_ = 0;
  std::uint64_t rows_ = 0;
  bool sealed_ = false;
};

}  // namespace twinset

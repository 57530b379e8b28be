// A file of checksummed blocks of rows: what every rows store writes.
//
// After the 48 bytes of base/file_header.h come blocks, each a header of 32
// bytes and its rows (docs/formats/rows.md). A block's checksum covers its rows,
// its header, its place in the file and the file's fingerprint, so a damaged or moved block, or one
// of another file, is an Error and never read as rows.
//
//   auto file = BlockFile::create(files, path, {.format = "rows", .row_bytes = 16, ...});
//   std::uint64_t at = file.value()->reserve(block_bytes(rows, 16));
//   file.value()->write(at, block, tag, rows);  // block: room for the header, then the rows
//
// Threads: reserve(), write() and read() from any; the rest one at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_header.h"
#include "rows/options.h"
#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

inline constexpr std::size_t block_header_bytes = 32;

/// Bytes of a block of `rows` rows, header included.
constexpr std::uint64_t block_bytes(std::uint64_t rows, std::uint64_t row_bytes) {
  return block_header_bytes + rows * row_bytes;
}

/// The content of a file of blocks.
struct BlockLayout {
  std::string_view format;        ///< of the file header: "rows", "parts", "runs"
  std::uint32_t row_bytes = 0;    ///< at least 1
  std::uint64_t fingerprint = 0;  ///< scheme fingerprint
};

class BlockFile {
 public:
  /// The number of rows in the header of a file that was not sealed.
  static constexpr std::uint64_t unsealed = ~std::uint64_t{0};

  /// Makes the file anew; one of that name (a killed run's) is replaced.
  static Result<std::unique_ptr<BlockFile>> create(FileSystem& files, const std::string& path,
                                                   const BlockLayout& layout);
  /// Opens a file made by create(): to read, or to go on writing.
  static Result<std::unique_ptr<BlockFile>> open(FileSystem& files, const std::string& path,
                                                 const BlockLayout& layout, OpenMode mode);

  /// The place of the next `bytes` bytes.
  std::uint64_t reserve(std::uint64_t bytes) { return end_.fetch_add(bytes); }

  /// Fills in the header at the front of `block` and writes block_bytes(rows) bytes.
  Status write(std::uint64_t offset, std::byte* block, std::uint32_t tag, std::uint32_t rows);

  /// Reads the block at `offset` into `block`, of room for `max_rows` rows and the
  /// header; returns its number of rows, at least 1. `tag` must be the block's.
  Result<std::uint32_t> read(std::uint64_t offset, std::uint32_t tag, std::byte* block,
                             std::uint32_t max_rows) const;

  struct BlockPlace {
    std::uint64_t offset = 0;
    std::uint32_t tag = 0;
    std::uint32_t rows = 0;
  };
  /// The block at `offset` of a file that may be damaged, read into `block`, which grows as needed;
  /// nullopt unless a whole block is there. Errors: of reading.
  Result<std::optional<BlockPlace>> find(std::uint64_t offset, std::vector<std::byte>& block) const;
  /// The first whole block that begins at `offset` or later, whatever comes before it.
  Result<std::optional<BlockPlace>> find_from(std::uint64_t offset,
                                              std::vector<std::byte>& block) const;

  /// Walks the block headers from the first to the end of the file.
  Status scan(const std::function<Status(const BlockPlace&)>& visit) const;

  /// Cuts the file to `bytes`; an Error if it is shorter.
  Status truncate(std::uint64_t bytes);
  Status sync() const { return file_->sync(); }
  /// Writes the number of rows into the file's header.
  Status seal(std::uint64_t rows);

  /// Rows as the header has them: `unsealed` before seal().
  std::uint64_t sealed_rows() const { return sealed_rows_; }
  /// Bytes of the file so far, its header included.
  std::uint64_t bytes() const { return end_.load(); }
  const std::string& path() const { return path_; }
  FileSystem& files() const { return files_; }

 private:
  BlockFile(FileSystem& files, std::string path, const BlockLayout& layout)
      : files_(files),
        path_(std::move(path)),
        format_(layout.format),
        row_bytes_(layout.row_bytes),
        fingerprint_(layout.fingerprint) {}
  Status write_header(std::uint64_t rows);
  Error damaged(std::uint64_t offset, std::string_view how) const;

  FileSystem& files_;
  std::string path_;
  std::string format_;
  std::uint32_t row_bytes_;
  std::uint64_t fingerprint_;
  std::unique_ptr<File> file_;
  std::uint64_t sealed_rows_ = unsealed;
  std::atomic<std::uint64_t> end_ = file_header_bytes;
};

/// Removes a file if there is one.
Status remove_if_there(FileSystem& files, const std::string& path);

/// Opens a file to go on where a checkpoint was, whose lengths these are: cuts it to its own, which
/// `length` gets. With OpenMode::read it is left as it is. Errors (io): the checkpoint does not
/// have it, or it is missing or shorter.
Result<std::unique_ptr<File>> reopen(FileSystem& files, const std::string& path,
                                     std::span<const PartLength> lengths, PartLength& length,
                                     OpenMode mode = OpenMode::append);

}  // namespace twinset

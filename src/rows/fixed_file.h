// Rows of one width, which is chosen at run time, in the order written; read by number in any
// order.
//
//   FixedFile sketches({.context = &context, .path = "<tmp>/x.sketches"}, "sketches", 516);
//   sketches.append(rows);             // whole rows; fills in the last 4 bytes of each, its check
//   sketches.read(7, row);             // the row of number 7, or several from there on
//
// A check is bound to the row's number and to the file's fingerprint: damage is an Error, never
// another row (docs/formats/blobs.md). Every append() writes, so it is given many rows at once.
//
// Threads: append() and hold() one at a time; the readers from any.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_header.h"
#include "rows/cached_file.h"
#include "rows/options.h"
#include "rows/region.h"
#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

/// The error of a file of the run that does not have what was written.
Error damaged_file(const std::string& path, std::uint64_t offset);

class FixedFile {
 public:
  static constexpr std::size_t check_bytes = sizeof(std::uint32_t);

  /// The file is `options.path`; its header has `format`, at most 8 bytes. A row has `row_bytes`,
  /// its check included.
  FixedFile(const RowsOptions& options, std::string_view format, std::size_t row_bytes)
      : context_(options.context),
        path_(options.path),
        format_(format),
        row_bytes_(row_bytes),
        fingerprint_(options.fingerprint) {}

  /// Makes the file anew, unless it is there already; the first append() does, too.
  Status start();
  Status append(std::span<char> rows);

  /// Fills `rows` with the rows from `first` on. Error (io): there are fewer, or one is damaged.
  Status read(std::uint64_t first, std::span<char> rows) const;
  /// All rows in order, about a MiB at a time.
  Status for_each(const std::function<Status(std::uint64_t number, const char* row)>& use) const;

  /// Until more rows are appended: holds all rows in memory if they take at most `most_bytes`, else
  /// caches so many bytes of them.
  Status hold(std::uint64_t most_bytes);
  /// Until more rows are appended: keeps about so many bytes of the blocks that were read.
  Status cache(std::uint64_t memory_bytes);
  void drop_held();

  /// The error of a row that says what cannot be.
  Error damaged(std::uint64_t number) const { return damaged_file(path_, offset_of(number)); }

  std::uint64_t rows() const { return rows_; }
  /// Bytes of the file, its header included.
  std::uint64_t stored_bytes() const { return file_ == nullptr ? 0 : offset_of(rows_); }

  /// Brings all rows to disk and says how far the file has come.
  Status checkpoint(std::vector<PartLength>& out);
  /// Before any append: goes on where a checkpoint was; rows added after it are cut.
  Status restore(std::span<const PartLength> lengths, OpenMode mode = OpenMode::append);
  /// Adds the rows that another file of this format, width and fingerprint had at a checkpoint. It
  /// is only read. Errors as restore().
  Status take_over(const std::string& path, std::span<const PartLength> lengths);
  /// Removes the file.
  Status discard();

 private:
  FileHeader header() const;
  std::uint64_t offset_of(std::uint64_t number) const;
  std::uint32_t check_of(const char* row, std::uint64_t number) const;
  Status read_bytes(std::uint64_t offset, std::span<char> out) const;

  const RunContext* context_;
  std::string path_;
  std::string format_;
  std::size_t row_bytes_;
  std::uint64_t fingerprint_;
  std::unique_ptr<File> file_;
  std::uint64_t rows_ = 0;
  Region held_;  ///< all of the file's bytes, or nothing
  std::unique_ptr<CachedFile> cached_;
};

}  // namespace twinset

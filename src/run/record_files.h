// The files that hold a row for each record: its place, its id and its sketch. Pass 1
// appends to them in input order; later passes read them in any order.
//
// There is a row for each line of input, also for blank lines, so a document's dense index
// is the number of its row. Every row and sketch has its own check: bit rot is an Error that
// names the file, never another document's text.
//
// Threads: append() one thread at a time; the readers any.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/context.h"
#include "join/documents.h"
#include "rows/cached_file.h"
#include "rows/region.h"
#include "twinset/result.h"

namespace twinset {

/// XXH3-64 of a record's bytes without its line end: the last line of a file stays the same
/// record when others are appended.
std::uint64_t record_fingerprint(std::string_view raw);

struct RecordRow {
  std::uint64_t offset = 0;       ///< in the decoded stream
  std::uint64_t name_offset = 0;  ///< of its id, then its order value
  std::uint64_t fingerprint = 0;  ///< record_fingerprint(); 0 of a bad one
  std::uint32_t length = 0;       ///< of the raw record
  std::uint32_t size = 0;         ///< canonical tokens; with containment distinct shingles
  std::uint32_t id_bytes = 0;     ///< 0: no id given
  std::uint32_t order_bytes = 0;  ///< of the --keep field's value; 0: missing
  std::uint32_t keys = 0;         ///< counted keys
  std::uint32_t fate_and_check = 0;

  Fate fate() const { return static_cast<Fate>(fate_and_check & 0xff); }
  void seal(Fate fate);
  bool intact() const;

 private:
  std::uint32_t check() const;
};
static_assert(sizeof(RecordRow) == 48);

/// Blank lines in a row, which have neither names nor sketches: they stand before row
/// `before` of those appended with them.
struct AbsentRows {
  std::size_t before = 0;
  std::uint64_t count = 0;
};

/// Lengths of the files, in rows and bytes: a checkpoint's memory of them.
struct RecordLengths {
  std::uint64_t rows = 0;
  std::uint64_t name_bytes = 0;
};

class RecordFiles {
 public:
  /// Creates or opens `<prefix>.records`, `.names`, `.sketches`.
  /// `sketch_bytes` of 0: no sketches are kept.
  static Result<std::unique_ptr<RecordFiles>> open(const RunContext& context,
                                                   const std::string& prefix,
                                                   std::size_t sketch_bytes);

  /// Appends rows with their names (name_offset is relative to `names`) and sketches:
  /// the bytes of all, and how many are each row's, at most sketch_bytes; on disk
  /// zeros follow. Absent rows, by place, stand among them. Memory is of what is given
  /// and a little, however many rows are absent.
  Status append(std::span<RecordRow> rows, std::string_view names, std::string_view sketches,
                std::span<const std::uint32_t> sketch_sizes,
                std::span<const AbsentRows> absent = {});
  Status sync();
  RecordLengths lengths() const { return lengths_; }
  /// Cuts the files back to what a checkpoint remembers.
  Status truncate(const RecordLengths& lengths);

  Result<RecordRow> row(std::uint64_t index) const;
  /// The rows from `first` on, as many as `out` has.
  Status rows(std::uint64_t first, std::span<RecordRow> out) const;
  /// Rows in order from the first.
  Status for_each(
      const std::function<Status(std::uint64_t index, const RecordRow& row)>& use) const;
  /// The id as written, and the --keep field's value.
  Status names(const RecordRow& row, std::string& id, std::string& order_value) const;
  /// Replaces `out` with the stored sketch; zeros if the record has none, empty if
  /// no sketches are kept.
  Status sketch(std::uint64_t index, std::vector<std::uint8_t>& out) const;
  /// All stored sketches in order, a few at a time; zeros for records without one.
  Status for_each_sketch(
      const std::function<Status(std::uint64_t index, std::span<const std::uint8_t> sketch)>& use)
      const;
  std::size_t sketch_bytes() const { return sketch_bytes_; }
  /// Brings all sketches into memory if they take at most `most_bytes`, else as much of them:
  /// pairs ask for them in any order, and a read of the file each costs more than comparing.
  Status hold_sketches(std::uint64_t most_bytes);
  void drop_sketches() {
    held_sketches_ = {};
    cached_sketches_.reset();
  }
  /// Rows and names that are asked for one by one come out of about so many bytes of memory
  /// from now on, until something is appended.
  Status hold_rows(std::uint64_t memory_bytes);
  /// Bytes on disk.
  std::uint64_t stored_bytes() const;
  Status remove();

 private:
  RecordFiles(const RunContext& context, std::string prefix, std::size_t sketch_bytes);
  Status append_rows(std::span<const RecordRow> rows, std::string_view sketches,
                     std::span<const std::uint32_t> sketch_sizes);
  Status append_absent(std::uint64_t count);
  /// Rows whose sketches take some part of a MiB, at least one.
  std::size_t rows_at_once() const;
  std::size_t sketch_row_bytes() const { return sketch_bytes_ + sizeof(std::uint32_t); }
  Status read_exactly(File& file, const char* suffix, std::uint64_t offset, char* out,
                      std::size_t size) const;
  /// The same of a few bytes, through `cached` if that is there.
  Status look_up(CachedFile* cached, File& file, const char* suffix, std::uint64_t offset,
                 char* out, std::size_t size) const;
  void forget_cached();
  bool sketch_intact(const std::uint8_t* row) const;
  Error damaged(const char* suffix, std::uint64_t offset) const;

  FileSystem& files_;
  std::string prefix_;
  std::size_t sketch_bytes_;
  std::unique_ptr<File> records_;
  std::unique_ptr<File> names_;
  std::unique_ptr<File> sketches_;
  RecordLengths lengths_;
  Region held_sketches_;  ///< all of the file's bytes, or nothing
  std::unique_ptr<CachedFile> cached_rows_;
  std::unique_ptr<CachedFile> cached_names_;
  std::unique_ptr<CachedFile> cached_sketches_;
  std::string scratch_;
};

}  // namespace twinset

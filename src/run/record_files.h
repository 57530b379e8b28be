// The files that hold a row for each record: its place, its size and its names. Pass 1
// appends to them in input order; later passes read them in any order.
//
// There is a row for each line of input, also for blank lines, so a document's dense index is the
// number of its row. Every row has its own check, and so have its names: bit rot is an Error that
// names the file, never another document's text or name.
//
// Threads: as a Collector; the readers from any.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rows/cached_file.h"
#include "run/collector.h"
#include "system/context.h"
#include "twinset/result.h"

namespace twinset {

/// XXH3-64 of a record's bytes without its line end: the last line of a file stays the same record
/// when lines are appended.
std::uint64_t record_fingerprint(std::string_view raw);

struct RecordRow {
  std::uint64_t offset = 0;       ///< in the decoded stream
  std::uint64_t name_offset = 0;  ///< of its id, then its order value
  std::uint64_t fingerprint = 0;  ///< record_fingerprint(); 0 for a bad record
  std::uint32_t length = 0;       ///< of the raw record
  std::uint32_t size = 0;         ///< number of canonical tokens or distinct shingles: see Size
  std::uint32_t id_bytes = 0;     ///< 0: no id given
  std::uint32_t order_bytes = 0;  ///< of the --keep field's value; 0: missing
  std::uint32_t names_check = 0;  ///< of the id and the order value
  std::uint32_t fate_and_check = 0;

  Fate fate() const { return static_cast<Fate>(fate_and_check & 0xff); }
  void seal(Fate fate);
  bool intact() const;

 private:
  std::uint32_t check() const;
};
static_assert(sizeof(RecordRow) == 48);

/// A run of blank lines, which have no names. They come before row `before` of the rows appended
/// with them.
struct AbsentRows {
  std::size_t before = 0;
  std::uint64_t count = 0;
};

/// The rows and names that a batch adds to the files.
struct RecordRows final : Collector::Rows {
  void begin(const BatchPlace& place) override;
  void release_large() override {}
  void add_absent(std::uint64_t count);

  std::vector<RecordRow> rows;
  std::vector<AbsentRows> absent;
  std::string names;            ///< RecordRow::name_offset is relative to them
  std::uint64_t line = 0;       ///< the last line with a row
  std::uint64_t last_line = 0;  ///< of the batch
};

class RecordFiles final : public CollectorOf<RecordRows> {
 public:
  /// The unit of RecordRow::size.
  enum class Size : std::uint8_t { tokens, distinct_shingles };

  /// Files `<prefix>.records` and `<prefix>.names`. With `keep_field` the first of Record::fields
  /// is stored with the names.
  RecordFiles(const RunContext& context, std::string prefix, Size size, bool keep_field);

  Status open(const StateFile* checkpoint) override;
  Status checkpoint(StateFile& file) override;
  std::uint64_t stored_bytes() const override;
  /// Bytes of ids and field values.
  std::uint64_t name_bytes() const { return name_bytes_; }

  /// Appends rows with their names, and the absent rows among them. Memory does not grow with the
  /// number of absent rows.
  Status append(RecordRows& rows);

  Result<RecordRow> row(std::uint64_t index) const;
  /// The rows from `first` on, as many as `out` has.
  Status rows_from(std::uint64_t first, std::span<RecordRow> out) const;
  /// All rows in order.
  Status for_each(
      const std::function<Status(std::uint64_t index, const RecordRow& row)>& use) const;
  /// The id as written, and the --keep field's value.
  Status names(const RecordRow& row, std::string& id, std::string& order_value) const;
  /// Keeps about so many bytes in memory for reads of single rows and names, until something is
  /// appended.
  Status hold_rows(std::uint64_t memory_bytes);

 private:
  Status take(const ReadRecord& record, RecordRows& rows) const override;
  Status put(RecordRows& rows) override;
  Status append_rows(std::span<const RecordRow> rows);
  Status append_absent(std::uint64_t count);
  Status read_exactly(File& file, const char* suffix, std::uint64_t offset, char* out,
                      std::size_t size) const;
  /// Reads a few bytes, through `cached` if not null.
  Status look_up(CachedFile* cached, File& file, const char* suffix, std::uint64_t offset,
                 char* out, std::size_t size) const;
  void forget_cached();
  Error damaged(const char* suffix, std::uint64_t offset) const;

  FileSystem& files_;
  std::string prefix_;
  Size size_;
  bool keep_field_;
  std::unique_ptr<File> records_;
  std::unique_ptr<File> names_;
  std::uint64_t rows_ = 0;
  std::uint64_t name_bytes_ = 0;
  std::unique_ptr<CachedFile> cached_rows_;
  std::unique_ptr<CachedFile> cached_names_;
};

}  // namespace twinset

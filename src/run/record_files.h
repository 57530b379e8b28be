// The files that hold a row for each record: its place, its size and its names. Pass 1
// appends to them in input order; later passes read them in any order.
//
// There is a row for each line of input, also for blank lines, so a document's dense index is the
// number of its row and of its names.
//
// Threads: as a Collector; the readers from any.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rows/blob_file.h"
#include "rows/fixed_file.h"
#include "run/collector.h"
#include "system/context.h"
#include "twinset/result.h"

namespace twinset {

/// XXH3-64 of a record's bytes without its line end: the last line of a file stays the same record
/// when lines are appended.
std::uint64_t record_fingerprint(std::string_view raw);

struct RecordRow {
  std::uint64_t offset = 0;       ///< in the decoded stream
  std::uint64_t fingerprint = 0;  ///< record_fingerprint(); 0 for a bad record
  std::uint32_t length = 0;       ///< of the raw record
  std::uint32_t size = 0;         ///< number of canonical tokens or distinct shingles: see Size
  std::uint32_t fate_number = 0;
  std::uint32_t check = 0;  ///< as every row of a FixedFile

  Fate fate() const { return static_cast<Fate>(fate_number); }
  void set_fate(Fate fate) { fate_number = static_cast<std::uint32_t>(fate); }
};
static_assert(sizeof(RecordRow) == 32);

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
  /// Adds a row, to whose names all is that stands at the end of `names`.
  void add(const RecordRow& row);
  void add_absent(std::uint64_t count);

  std::vector<RecordRow> rows;
  std::vector<AbsentRows> absent;
  std::string names;
  std::vector<std::size_t> name_ends;  ///< of each row in `names`
  std::uint64_t line = 0;              ///< the last line with a row
  std::uint64_t last_line = 0;         ///< of the batch
};

class RecordFiles final : public CollectorOf<RecordRows> {
 public:
  /// The unit of RecordRow::size.
  enum class Size : std::uint8_t { tokens, distinct_shingles };
  /// Stored for each line of input, beside its names.
  static constexpr std::size_t record_bytes = sizeof(RecordRow) + BlobFile::place_bytes;

  /// Files `<prefix>.records` and `<prefix>.names.*`. With `keep_field` the first
  /// of Record::fields is stored with the names.
  RecordFiles(const RunContext& context, const std::string& prefix, Size size, bool keep_field);

  Status open(const StateFile* checkpoint) override;
  Status checkpoint(StateFile& file) override;
  Status take_over(const ShardFolder& shard) override;
  std::uint64_t stored_bytes() const override {
    return rows_.stored_bytes() + names_.stored_bytes();
  }

  /// Appends rows with their names, and the absent rows among them. Memory does not grow with the
  /// number of absent rows.
  Status append(RecordRows& rows);

  Result<RecordRow> row(std::uint64_t index) const;
  /// The rows from `first` on, as many as `out` has.
  Status rows_from(std::uint64_t first, std::span<RecordRow> out) const;
  /// All rows in order.
  Status for_each(
      const std::function<Status(std::uint64_t index, const RecordRow& row)>& use) const;
  /// The id as written, and the --keep field's value; empty where a record has none.
  Status names(std::uint64_t index, std::string& id, std::string& order_value) const;
  /// Keeps about so many bytes in memory for reads of single rows and names, until something is
  /// appended.
  Status hold_rows(std::uint64_t memory_bytes);

 private:
  Status take(const ReadRecord& record, RecordRows& rows) const override;
  Status put(RecordRows& rows) override;
  Status append_rows(RecordRows& added, std::size_t begin, std::size_t end);
  Status append_absent(std::uint64_t count);

  Size size_;
  bool keep_field_;
  std::string file_;  ///< the last part of the prefix
  FixedFile rows_;
  BlobFile names_;
};

}  // namespace twinset

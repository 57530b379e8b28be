// Parquet files, through the library of parquet/ (Rust), which this file's source alone calls. In a
// build without it (TWINSET_PARQUET=OFF) nothing opens.
//
//   TWINSET_ASSIGN(std::unique_ptr<ParquetTable> table, ParquetTable::open(files, "a.parquet"));
//   const ParquetColumn text = table->find(path, true);
//   const std::unique_ptr<ParquetRows> rows = table->read(std::array{*text.leaf}, {});
//   while (rows->next(frames).value()) ...
//
// Every byte is read and written through the file layer. What a file claims is checked before
// memory is taken for it; a damaged one is an Error, never more.
//
// Threads: one at a time for each object; its own threads read the file at once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes.h"
#include "io/json_texts.h"
#include "io/spool.h"
#include "system/context.h"
#include "twinset/result.h"

namespace twinset {

/// False in a build without Parquet.
bool reads_parquet();

struct ParquetColumn {
  std::optional<std::uint64_t> leaf;  ///< its number among the file's leaf columns
  std::string other;                  ///< if the name is of something else, words after it
};

/// A column whose values become fields of records.
struct ParquetField {
  std::uint64_t leaf = 0;
  std::uint32_t tag = 0;  ///< that names it in frames
};

/// The rows of a table, in order, as frames:
///
///   8 bytes: the length of the rest (little-endian, as all numbers)
///   1 byte: 1 if the row has a text; 8: the length of the text; the text
///   for each field with a value: 4 bytes of its tag; 1: 0 for a token of JSON, 1 for a string's
///   bytes; 4: its length; its bytes
class ParquetRows {
 public:
  virtual ~ParquetRows() = default;
  /// Points `frames` at those of the next rows, about 256 KiB of them, until the next call; false
  /// at the end, or if a group of rows does not decode, which fault() then describes. Errors: io.
  virtual Result<bool> next(std::string_view& frames) = 0;
  virtual const std::string& fault() const = 0;
  /// Gives up the group with the fault; returns the number of its rows that were not given.
  virtual std::uint64_t skip_group() = 0;
  /// Rows given or given up so far.
  virtual std::uint64_t passed() const = 0;
  /// Where the group being read begins in the file.
  virtual std::uint64_t place() const = 0;
};

/// Writes a file like a table with some of its rows: each column's values, levels and encodings,
/// statistics, bloom filters, the schema and the metadata of the file as they are. A group of rows
/// that loses none is copied byte for byte, but for the column of texts if some of these change.
class ParquetCopy {
 public:
  virtual ~ParquetCopy() = default;
  /// Copies rows of the next `count` groups, from group `first` on: bit i of `keep` is the i-th row
  /// of these, and rows after its last bit are not kept. A group without a kept row is left out.
  /// `texts`: of kept rows whose text changes, or empty: for each group the place where they begin
  /// in the spool, and where the last group's end. Of each row, ascending: 8 bytes of its number in
  /// the group, from 0; 8: the length of its text; the text.
  virtual Status add(std::uint64_t first, std::uint64_t count, std::span<const std::uint8_t> keep,
                     std::span<const std::uint64_t> texts = {}) = 0;
  virtual Status finish() = 0;
};

class ParquetTable {
 public:
  virtual ~ParquetTable() = default;
  /// Errors: io; usage, if this build reads no Parquet or the file is none: words that follow the
  /// file's name.
  static Result<std::unique_ptr<ParquetTable>> open(FileSystem& files, const std::string& path);

  virtual std::uint64_t groups() const = 0;
  virtual std::uint64_t group_rows(std::uint64_t group) const = 0;
  virtual std::uint64_t group_bytes(std::uint64_t group) const = 0;  ///< as stored
  /// The names of the first columns.
  virtual std::string names() const = 0;
  /// The column of that name; `text`: it must hold texts, and lists in its name are said.
  virtual ParquetColumn find(const TextPath& name, bool text) const = 0;
  /// The strings of `texts` are joined by line ends to the text of a row.
  virtual std::unique_ptr<ParquetRows> read(std::span<const std::uint64_t> texts,
                                            std::span<const ParquetField> fields) const = 0;
  /// All must outlive the copy. Encoded columns wait in `spool` until their group is written.
  /// Errors of add(): also the context's, of one that is cancelled. `edited`: the leaf whose texts
  /// may change.
  virtual Result<std::unique_ptr<ParquetCopy>> copy(
      const RunContext& context, ByteSink& out, Spool& spool,
      std::optional<std::uint64_t> edited = {}) const = 0;
};

}  // namespace twinset

// A log of rows that survives a crash, and the frozen table it continues: the storage of a live
// set.
//
//   TWINSET_ASSIGN(auto log, RowLog<Entry>::open(context, folder + "/seen", kind));
//   if (log->table() != nullptr) ...              // the frozen rows, for find()
//   TWINSET_TRY(for_each_row(*log, [&](const Entry& entry) { set.insert(entry); }));
//   TWINSET_TRY(log->append(batch));
//   TWINSET_TRY(log->sync());                     // the batch is durable from here
//   TWINSET_TRY(log->freeze(*sorted_rows));       // all of it a new table; the log is empty
//
// After a kill or a power loss open() finds the batches appended up to some moment, each whole
// and none missing between them, and all that were synced. Bytes after them are cut off, and
// cut_bytes() says how many. Damage before bytes that were synced later is an Error that names the
// place; damage to the last batch cannot be told from a torn one.
//
// Files: <path>.log, which names the table it continues, and <path>.<hash>.table. A freeze
// writes the table first and then puts a new log in place of the old one, in one rename: until then
// the old table and log are valid, afterwards the new ones. open() removes the leftovers of a crash
// (docs/formats/log.md).
//
// After a failed append() or sync() every further one fails: open the log again. Memory: a
// batch while it is written or read; the table's (rows/table.h).
//
// Threads: one at a time. One RowLog of a path at a time: its owner holds a FileSystem::lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rows/block_file.h"
#include "rows/table.h"

namespace twinset {

/// The part of a log that does not depend on the type of its rows.
class LogFile {
 public:
  /// Opens the log of `path`, or makes it.
  static Result<std::unique_ptr<LogFile>> open(const RunContext& context, const std::string& path,
                                               const TableKind& kind, std::uint32_t row_bytes);

  Status append(const std::byte* rows, std::size_t count);
  Status sync();
  /// Replaces this log by an empty one that continues the table `hash`. This object is of no use
  /// afterwards, even after an Error, because a failed rename does not tell which log has the name.
  Status replace(const Fingerprint& hash);

  /// The table that the log continues; zero: none.
  const Fingerprint& table() const { return table_; }
  std::string table_path(const Fingerprint& hash) const;
  std::string new_table_path() const { return path_ + ".new.table"; }

  std::uint64_t rows() const { return rows_; }
  std::uint64_t cut_bytes() const { return cut_bytes_; }
  const BlockFile& file() const { return *file_; }
  Error damaged(std::uint64_t offset, const std::string& how) const;
  /// The offset of the first batch.
  std::uint64_t first() const { return first_; }

 private:
  LogFile(const RunContext& context, std::string path, const TableKind& kind,
          std::uint32_t row_bytes)
      : context_(context), path_(std::move(path)), kind_(kind), row_bytes_(row_bytes) {}

  BlockLayout layout() const {
    return {.format = "log", .row_bytes = row_bytes_, .fingerprint = kind_.fingerprint};
  }
  std::string log_path() const { return path_ + ".log"; }
  std::uint64_t kind_checksum() const;
  Status load();
  Status cut_tail(std::uint64_t end);
  Status remove_left_over();

  const RunContext& context_;
  std::string path_;
  TableKind kind_;
  std::uint32_t row_bytes_;
  std::unique_ptr<BlockFile> file_;
  std::vector<std::byte> block_;
  Fingerprint table_;
  std::uint64_t first_ = 0;
  std::uint64_t synced_ = 0;  ///< bytes that are known to be durable
  std::uint64_t rows_ = 0;
  std::uint64_t cut_bytes_ = 0;
  bool failed_ = false;
};

template <PlainRow Row, class Key = std::uint64_t>
requires TableRow<Row, Key>
class RowLog {
 public:
  /// Opens the log, or makes it. `kind` is the kind of its tables. Errors (io): damaged, of another
  /// kind or fingerprint; the table is missing or not the one named.
  static Result<std::unique_ptr<RowLog>> open(const RunContext& context, const std::string& path,
                                              const TableKind& kind) {
    TWINSET_ASSIGN(auto file, LogFile::open(context, path, kind, sizeof(Row)));
    std::unique_ptr<RowLog> log(new RowLog(context, path, kind, std::move(file)));
    const Fingerprint& hash = log->file_->table();
    if (hash != Fingerprint{}) {
      TWINSET_ASSIGN(log->table_, log->open_table(hash));
    }
    return log;
  }

  /// Adds a batch, which a crash keeps whole or not at all.
  Status append(std::span<const Row> rows) {
    return file_->append(reinterpret_cast<const std::byte*>(rows.data()), rows.size());
  }
  /// Makes all batches so far durable.
  Status sync() { return file_->sync(); }

  /// The frozen rows; null if nothing was frozen yet.
  const Table<Row, Key>* table() const { return table_.has_value() ? &*table_ : nullptr; }
  /// The rows appended since then, in order. The cursor ends with the next freeze().
  Result<std::unique_ptr<RowCursor<Row>>> read() const {
    return std::unique_ptr<RowCursor<Row>>(std::make_unique<Cursor>(context_, *file_));
  }
  /// The number of these rows.
  std::uint64_t rows() const { return file_->rows(); }
  /// Bytes of a torn tail that open() cut off.
  std::uint64_t cut_bytes() const { return file_->cut_bytes(); }

  /// Makes `rows`, in the order of their keys, the table, and empties the log. They are the whole
  /// content of the set: the old table's and the log's, merged, combined or thinned out. After an
  /// Error the files are the old table and log, or the new ones; if the log was replaced, append()
  /// and sync() fail until it is opened again.
  Status freeze(RowCursor<Row>& rows, const std::string& description = "") {
    const std::string path = file_->new_table_path();
    TableWriter<Row, Key> writer(context_, path, kind_, description);
    TWINSET_TRY(for_each_row(rows, [&](const Row& row) { return writer.append(row); }));
    TWINSET_ASSIGN(const Fingerprint hash, writer.finish());
    TWINSET_TRY(context_.files->rename(path, file_->table_path(hash)));
    TWINSET_ASSIGN(auto table, open_table(hash));
    TWINSET_TRY(file_->replace(hash));
    TWINSET_ASSIGN(file_, LogFile::open(context_, path_, kind_, sizeof(Row)));
    table_ = std::move(table);
    return {};
  }

 private:
  class Cursor final : public RowCursor<Row> {
   public:
    Cursor(const RunContext& context, const LogFile& log)
        : context_(context), log_(log), at_(log.first()), end_(log.file().bytes()) {}

   private:
    Result<bool> refill() override {
      TWINSET_TRY(context_.check_cancelled());
      if (at_ == end_) return false;
      TWINSET_ASSIGN(const auto place, log_.file().find(at_, block_));
      if (!place.has_value()) return log_.damaged(at_, "is no longer as it was written");
      at_ += block_bytes(place->rows, sizeof(Row));
      const Row* const first = reinterpret_cast<const Row*>(block_.data() + block_header_bytes);
      this->show(first, first + place->rows);
      return true;
    }

    const RunContext& context_;
    const LogFile& log_;
    std::uint64_t at_;
    std::uint64_t end_;
    std::vector<std::byte> block_;
  };

  RowLog(const RunContext& context, std::string path, const TableKind& kind,
         std::unique_ptr<LogFile> file)
      : context_(context), path_(std::move(path)), kind_(kind), file_(std::move(file)) {}

  Result<Table<Row, Key>> open_table(const Fingerprint& hash) const {
    const std::string path = file_->table_path(hash);
    TWINSET_ASSIGN(auto table, (Table<Row, Key>::open(*context_.files, path, kind_)));
    if (table.hash() != hash) {
      return io_error(path + " is another table than its name says; take a copy of the right one");
    }
    return table;
  }

  const RunContext& context_;
  std::string path_;
  TableKind kind_;
  std::unique_ptr<LogFile> file_;
  std::optional<Table<Row, Key>> table_;
};

}  // namespace twinset

// A frozen table: sorted rows, written once, found by key, and named by their content.
//
//   TableWriter<Term> writer(context, path, {"lexicon", 1, analyzer_fingerprint}, "web, 2024");
//   writer.append(terms);                         // in the order of their keys, any number
//   Result<Fingerprint> name = writer.finish();   // from here on the file is there, durable
//   auto lexicon = Table<Term>::open(files, path, {"lexicon", 1, analyzer_fingerprint});
//   TWINSET_ASSIGN(std::span<const Term> found, lexicon.value().find(key));
//
// A row's key is its first 8 bytes, a number, or its first 16: Table<Chunk, Fingerprint>.
// Several rows may share a key. Rows of a key stay in the order given.
//
// hash() identifies the content of a table: kind, version, fingerprint, description and rows. It
// does not depend on how the file was written, so two tables of one hash are the same table.
//
// A table is mapped, and read into memory only if a map is refused (system/files.h says how a
// mapped file can end the process). Each block is checked when it is first used: damage is an
// Error, never another row. Memory: the pages in use, which the system can take back, and a
// byte a block. Writing holds a block and 1/512 of the table, its index (docs/formats/table.md).
//
// Threads: a Table any; a writer one at a time.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "rows/cursor.h"
#include "rows/key.h"
#include "rows/mapped_file.h"
#include "rows/options.h"
#include "system/context.h"
#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

/// The meaning of a table's rows. A file of another kind, version or fingerprint is not opened.
struct TableKind {
  std::string name;               ///< "lexicon", "stop chunks"
  std::uint32_t version = 1;      ///< of what its rows mean
  std::uint64_t fingerprint = 0;  ///< of the scheme or analyzer the rows belong to
};

/// Sizes in bytes of a row and of the key it begins with: 8 or 16.
struct RowShape {
  std::uint32_t row_bytes = 0;
  std::uint32_t key_bytes = 0;
};

template <class Row, class Key>
concept TableRow = PlainRow<Row> && alignof(Row) >= alignof(Key) && sizeof(Row) >= sizeof(Key) &&
                   (std::is_same_v<Key, std::uint64_t> || std::is_same_v<Key, Fingerprint>);

/// The part of a table that does not depend on the type of its rows.
class TableFile {
 public:
  static Result<TableFile> open(FileSystem& files, const std::string& path, const TableKind& kind,
                                RowShape shape);

  std::uint64_t rows() const { return rows_; }
  std::uint64_t blocks() const { return checked_.size(); }
  std::uint64_t block_rows() const { return block_rows_; }
  /// Where the rows begin, and the first key of each block.
  const std::byte* row_data() const { return row_data_; }
  const std::byte* keys() const { return keys_; }

  bool is_checked(std::uint64_t block) const {
    return checked_[block].load(std::memory_order_relaxed);
  }
  /// Compares a block with its checksum, once.
  Status check(std::uint64_t block) const;
  Status verify(const RunContext& context) const;
  /// Takes the pages of blocks [begin, end) out of the memory of this process, until they are used
  /// again.
  void release(std::uint64_t begin, std::uint64_t end) const;

  const Fingerprint& hash() const { return hash_; }
  const std::string& description() const { return description_; }
  const std::string& path() const { return path_; }

 private:
  Status decode(const TableKind& kind, RowShape shape);
  std::size_t rows_in(std::uint64_t block) const;
  const std::byte* block_data(std::uint64_t block) const;
  Error damaged(std::uint64_t offset, const std::string& how) const;

  std::string path_;
  MappedFile file_;
  std::string_view bytes_;  ///< of the file
  TableKind kind_;
  RowShape shape_;
  std::string description_;
  Fingerprint hash_;
  std::uint64_t rows_ = 0;
  std::uint64_t block_rows_ = 0;
  const std::byte* row_data_ = nullptr;
  const std::byte* keys_ = nullptr;
  const std::byte* checksums_ = nullptr;
  mutable std::vector<std::atomic<bool>> checked_;  ///< one for each block
};

/// The part of a writer that does not depend on the type of its rows.
class TableFileWriter {
 public:
  TableFileWriter(const RunContext& context, std::string path, TableKind kind,
                  std::string description, RowShape shape, std::uint32_t block_bytes);
  /// Removes an unfinished file.
  ~TableFileWriter();
  TableFileWriter(const TableFileWriter&) = delete;
  TableFileWriter& operator=(const TableFileWriter&) = delete;

  Status append(const std::byte* rows, std::size_t count);
  Result<Fingerprint> finish();

 private:
  Status start();
  Status flush();
  Status write(std::string_view bytes);
  Status write_end();

  const RunContext& context_;
  std::string path_;
  std::string partial_;
  TableKind kind_;
  std::string description_;
  RowShape shape_;
  std::size_t block_rows_;
  std::size_t buffer_rows_;
  std::unique_ptr<File> file_;
  bool failed_ = false;
  std::uint64_t end_ = 0;
  std::uint64_t rows_ = 0;
  Fingerprint last_key_;
  std::vector<std::byte> buffer_;
  std::string keys_;
  std::string checksums_;
  RunningFingerprint hash_;
};

/// Writes a table under a temporary name; an existing one of its name is replaced at the end.
template <PlainRow Row, class Key = std::uint64_t>
requires TableRow<Row, Key>
class TableWriter {
 public:
  static constexpr std::uint32_t usual_block_bytes = 8 << 10;

  TableWriter(const RunContext& context, const std::string& path, const TableKind& kind,
              const std::string& description, std::uint32_t block_bytes = usual_block_bytes)
      : file_(context, path, kind, description, {sizeof(Row), sizeof(Key)}, block_bytes) {}

  Status append(const Row& row) { return append(std::span<const Row>(&row, 1)); }
  /// Errors: a row whose key is less than the last one's; writing fails; interrupted. Then the
  /// table cannot be finished.
  Status append(std::span<const Row> rows) {
    return file_.append(reinterpret_cast<const std::byte*>(rows.data()), rows.size());
  }
  /// Syncs the file, gives it its name, and returns the table's hash.
  Result<Fingerprint> finish() { return file_.finish(); }

 private:
  TableFileWriter file_;
};

/// The first place in [begin, end) whose key is not less than `key`; keys ascend. Searches from
/// `guess` outward, so a good guess touches few places.
template <class Key, class KeyAt>
std::uint64_t lower_bound_near(const Key& key, std::uint64_t begin, std::uint64_t end,
                               std::uint64_t guess, const KeyAt& key_at) {
  // Keys before `begin` are less than `key`, and those from `end` on are not.
  std::uint64_t step = 4;
  if (guess < end && key_at(guess) < key) {
    for (begin = guess + 1; end - begin > step; step *= 2) {
      if (!(key_at(begin + step) < key)) {
        end = begin + step;
        break;
      }
      begin += step + 1;
    }
  } else {
    for (end = guess; end - begin > step; step *= 2) {
      if (key_at(end - step) < key) {
        begin = end - step + 1;
        break;
      }
      end -= step;
    }
  }
  while (begin < end) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    const bool before = key_at(middle) < key;
    begin = before ? middle + 1 : begin;
    end = before ? end : middle;
  }
  return begin;
}

template <PlainRow Row, class Key = std::uint64_t>
requires TableRow<Row, Key>
class Table {
 public:
  /// Errors (io): missing, not a table, damaged; of another kind, version, row or fingerprint.
  static Result<Table> open(FileSystem& files, const std::string& path, const TableKind& kind) {
    TWINSET_ASSIGN(TableFile file, TableFile::open(files, path, kind, {sizeof(Row), sizeof(Key)}));
    return Table(std::move(file));
  }

  /// The rows of a key, empty if there are none. They live as long as the table. Keys that are
  /// hashes are found with a few cache misses, others in log(rows) steps. Error (io): a block is
  /// damaged.
  Result<std::span<const Row>> find(const Key& key) const {
    std::uint64_t block = 0;
    if (file_.blocks() > 0) {
      block = interpolate(key, block_key(0), block_key(file_.blocks() - 1), file_.blocks() - 1);
    }
    return find_near(key, block);
  }

  /// All rows in order. The table must outlive the cursor.
  Result<std::unique_ptr<RowCursor<Row>>> read() const {
    return std::unique_ptr<RowCursor<Row>>(std::make_unique<Cursor>(*this));
  }

  /// Reads the whole table: its checksums, its order and its hash.
  Status verify(const RunContext& context) const { return file_.verify(context); }

  /// Takes all pages out of the memory of this process, until they are used again.
  void release() const { file_.release(0, file_.blocks()); }

  std::uint64_t rows() const { return file_.rows(); }
  const Fingerprint& hash() const { return file_.hash(); }
  const std::string& description() const { return file_.description(); }
  const std::string& path() const { return file_.path(); }

 private:
  class Cursor final : public RowCursor<Row> {
   public:
    explicit Cursor(const Table& table) : table_(table) {}

   private:
    Result<bool> refill() override {
      if (block_ == table_.file_.blocks()) return false;
      TWINSET_TRY(table_.file_.check(block_));
      // The pages behind it, so that a scan of a large table takes little memory.
      if (block_ % released_blocks == 0 && block_ > 0) {
        table_.file_.release(block_ - released_blocks, block_);
      }
      this->show(table_.row(table_.first_of(block_)), table_.row(table_.first_of(block_ + 1)));
      ++block_;
      return true;
    }

    static constexpr std::uint64_t released_blocks = 512;

    const Table& table_;
    std::uint64_t block_ = 0;
  };

  explicit Table(TableFile file) : file_(std::move(file)) {}

  /// The place of `key` among `count`, if keys are spread evenly from `low` to `high`.
  static std::uint64_t interpolate(const Key& key, const Key& low, const Key& high,
                                   std::uint64_t count) {
    if (!(low < key)) return 0;
    if (!(key < high) || first_word(high) == first_word(low)) return count;
    const double part = static_cast<double>(first_word(key) - first_word(low)) /
                        static_cast<double>(first_word(high) - first_word(low));
    return std::min(static_cast<std::uint64_t>(part * static_cast<double>(count)), count);
  }

  const Row* row(std::uint64_t number) const {
    return reinterpret_cast<const Row*>(file_.row_data()) + number;
  }
  const Key& row_key(std::uint64_t number) const {
    return *reinterpret_cast<const Key*>(file_.row_data() + number * sizeof(Row));
  }
  const Key& block_key(std::uint64_t block) const {
    return reinterpret_cast<const Key*>(file_.keys())[block];
  }
  std::uint64_t first_of(std::uint64_t block) const {
    return std::min(block * file_.block_rows(), file_.rows());
  }
  Status check(std::uint64_t block) const {
    return file_.is_checked(block) ? Status() : file_.check(block);
  }

  /// `block`: where the search begins; set to where the next key's search should begin.
  Result<std::span<const Row>> find_near(const Key& key, std::uint64_t& block) const {
    // The key's rows begin in the block before the first block that begins at or after the key, or
    // at the front of that block.
    const std::uint64_t blocks = file_.blocks();
    block = lower_bound_near(key, 0, blocks, block,
                             [&](std::uint64_t i) -> const Key& { return block_key(i); });
    std::uint64_t begin = 0;
    if (block > 0) {
      TWINSET_TRY(check(block - 1));
      const std::uint64_t first = first_of(block - 1);
      const std::uint64_t count = first_of(block) - first;
      const Key& after = block < blocks ? block_key(block) : row_key(first + count - 1);
      begin = lower_bound_near(key, first, first + count,
                               first + interpolate(key, block_key(block - 1), after, count),
                               [&](std::uint64_t i) -> const Key& { return row_key(i); });
    }
    std::uint64_t end = begin;
    for (std::uint64_t checked = first_of(block);; checked = first_of(++block)) {
      while (end < checked && row_key(end) == key) ++end;
      if (end < checked || block == blocks || block_key(block) != key) break;
      TWINSET_TRY(check(block));
    }
    return std::span<const Row>(row(begin), row(end));
  }

  TableFile file_;
};

}  // namespace twinset

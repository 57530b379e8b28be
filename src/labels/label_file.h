// A set of labels on disk: what discovery finds, what detection looks up.
//
//   LabelWriter writer(context, "paypal.labels", {to_text(rules), ChunkHash::sha256});
//   writer.append(label);                           // in the order of compare_labels(), none twice
//   Result<Fingerprint> name = writer.finish();     // from here on the file is there, durable
//
//   auto labels = LabelFile::open(files, "paypal.labels");
//   TWINSET_ASSIGN(const std::optional<Label> known,
//                  labels.value().find(LabelKind::chunk, chunk.hash));
//
// The file is a frozen table (rows/table.h): mapped, checked block by block, found by key. What a
// row of fixed width cannot hold is in the rows of the same key after it
// (docs/formats/labels.md). Labels of other rules or of another hash never meet: a file says which
// it has, and merge_labels() refuses others.
//
// Threads: a LabelFile any; a writer one at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "labels/label.h"
#include "rows/table.h"
#include "system/context.h"
#include "system/files.h"
#include "twinset/result.h"
#include "web/chunk_hash.h"

namespace twinset {

/// How a file's labels were made. Only files with equal rules and hash can be compared.
struct LabelFacts {
  std::string rules;  ///< to_text(ChunkRules)
  ChunkHash hash = ChunkHash::xxh3;
  bool pages = false;  ///< some are chunks of pages, which a text without markup never has

  bool meets(const LabelFacts& other) const { return rules == other.rules && hash == other.hash; }
  bool operator==(const LabelFacts&) const = default;
};

/// The first row of a label has part 0 and its numbers; the next have pieces of all else.
struct LabelRow {
  static constexpr std::size_t piece_bytes = 44;

  Fingerprint key{};  ///< ChunkDigest::key()
  std::uint16_t part = 0;
  std::uint16_t bytes = 0;  ///< of `piece`; in part 0 the number of parts after it
  std::uint8_t piece[piece_bytes] = {};
};
static_assert(sizeof(LabelRow) == 64);

class LabelWriter {
 public:
  LabelWriter(const RunContext& context, const std::string& path, const LabelFacts& facts);

  /// Errors: writing fails; interrupted. Range: after the last label; within the bounds of Label.
  Status append(const Label& label);
  /// Syncs the file, gives it its name, and returns the hash of its content.
  Result<Fingerprint> finish() { return table_.finish(); }

 private:
  TableWriter<LabelRow, Fingerprint> table_;
  std::optional<Label> last_;
};

class LabelFile {
 public:
  /// Errors (io): missing; not a file of labels; damaged; of another version.
  static Result<LabelFile> open(FileSystem& files, const std::string& path);

  const LabelFacts& facts() const { return facts_; }
  const std::string& path() const { return table_.path(); }
  /// Identifies the content.
  const Fingerprint& hash() const { return table_.hash(); }

  /// Is there a label of that hash? Reads no samples. Error (io): a block is damaged.
  Result<bool> contains(LabelKind kind, const ChunkDigest& hash) const;
  /// Nothing if there is none. Error (io): a block is damaged.
  Result<std::optional<Label>> find(LabelKind kind, const ChunkDigest& hash) const;
  /// The first 128 bits and the kind of each label in order: faster than for_each(). Error (io):
  /// the file is damaged.
  Status for_each_key(const std::function<void(const Fingerprint& key, LabelKind kind)>& use) const;
  /// Bytes of its rows.
  std::uint64_t row_bytes() const { return table_.rows() * sizeof(LabelRow); }
  /// Takes its pages out of the memory of this process, until they are used again.
  void release() const { table_.release(); }
  /// All labels in order. Error (io): the file is damaged.
  Status for_each(const std::function<Status(const Label&)>& use) const;

  /// Labels one by one: see merge_labels(). The file must outlive it.
  class Cursor {
   public:
    explicit Cursor(const LabelFile& file) : file_(&file) {}
    /// Nothing at the end. The label is valid until the next call.
    Result<const Label*> next();

   private:
    const LabelFile* file_;
    std::unique_ptr<RowCursor<LabelRow>> rows_;
    Label label_;
    std::optional<Label> before_;
  };

 private:
  using Rows = Table<LabelRow, Fingerprint>;

  LabelFile(Rows table, LabelFacts facts) : table_(std::move(table)), facts_(std::move(facts)) {}
  /// Reads the label that begins with rows[0]; `rows` is what follows then.
  Result<Label> take(std::span<const LabelRow>& rows) const;
  Error damaged(std::string_view how) const;

  Rows table_;
  LabelFacts facts_;
};

/// Writes the labels of all files to `path`, which may be none of them. Equal for any order of the
/// files, and for any way of merging some of them first. Errors: usage if two files have labels of
/// different rules or hashes, naming both; io.
Result<Fingerprint> merge_labels(const RunContext& context, std::span<const std::string> paths,
                                 const std::string& path);

/// The lists of the browser extension AuntieTuna, as labels of auntietuna_chunks() in order: an
/// object {"domain": "paypal.com", "last_updated": ..., "hashes": ["ba78...", ...]}, or an array of
/// such. The domain is the sample. Error (io) names `what` and the hash that is none.
Result<std::vector<Label>> read_auntietuna_labels(std::string_view json, const std::string& what);

}  // namespace twinset

// The pairs of a folder of cluster: rows of one width in a file without a name, in the order of the
// later document, and the names of all documents in pairs.
//
//   TWINSET_TRY(pairs.append(line, folder));          // each line of pairs.jsonl.zst
//   TWINSET_TRY(pairs.seal());
//   TWINSET_TRY(pairs.for_each_of(document, use));    // those whose later document it is
//   TWINSET_TRY(pairs.name(document, place));
//
// Memory: 8 bytes for each 64 documents, and what a RowStore takes.
//
// Threads: one until seal(), then any.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/document.h"
#include "browse/row_store.h"
#include "cluster/pair_lines.h"
#include "look/asked_record.h"
#include "look/pairs_folder.h"
#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

/// A pair, or a copy and its original. `other` is the earlier document.
struct PairTableRow {
  DocumentId document;
  DocumentId other;
  Overlap keys;             ///< of a copy: all 0
  std::uint32_t marks = 0;  ///< RemovalKind, and template_mark

  static constexpr std::uint32_t template_mark = 1U << 8;
  RemovalKind kind() const { return static_cast<RemovalKind>(marks & 0xFF); }
  bool is_template() const { return (marks & template_mark) != 0; }
};
static_assert(sizeof(PairTableRow) == 32);

class PairTable {
 public:
  static Result<PairTable> make(FileSystem& files, const std::string& tmp);

  Status append(const PairLine& line, const PairsFolder& folder);
  Status seal();

  std::uint64_t rows() const { return rows_; }
  /// Did lines have rests, which rows have not?
  bool left_rests_out() const { return left_rests_out_; }
  Result<PairTableRow> row(std::uint64_t number) const;
  /// Rows [first, end) in order, until `use` returns false.
  Status for_each(
      std::uint64_t first, std::uint64_t end,
      const std::function<Result<bool>(std::uint64_t number, const PairTableRow& row)>& use) const;
  /// The rows whose later document this is.
  Status for_each_of(DocumentId document,
                     const std::function<Result<bool>(const PairTableRow& row)>& use) const;
  /// Id, record and fingerprint of a document in a pair; the file is its reader's to add. False:
  /// there is none.
  Result<bool> name(DocumentId document, RecordPlace& out) const;

  std::uint64_t memory_bytes() const {
    return sampled_.capacity() * sizeof(DocumentId) + names_.memory_bytes();
  }

 private:
  explicit PairTable(RowStore names) : names_(std::move(names)) {}

  RowStore names_;                   ///< of documents, ascending
  std::vector<DocumentId> sampled_;  ///< every 64th of them
  std::unique_ptr<File> file_;
  std::string pending_;
  std::uint64_t rows_ = 0;
  bool left_rests_out_ = false;
};

}  // namespace twinset

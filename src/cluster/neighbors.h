// neighbors.jsonl.zst: for each document all documents whose signatures are within the distance of
// its own, the star that it would lead (S-20; docs/formats/neighbors.md).
//
//   {"id": "d2", "input": 0, "record": 2, "neighbors": [[0, 9, 0], [1, 3, 2]]}
//   {"id": "d9", "input": 0, "record": 9, "equal": [0, 2]}
//
// A document of the signature of an earlier one names the first of them, and has its neighbors: all
// that it lists, and itself in place of this one. So a million copies make a million lines of one
// number each, not a million lists of a million.
//
//   TWINSET_ASSIGN(auto neighbors, Neighbors::make(options, table, pairs));
//   if (neighbors->entries() > most) ...
//   TWINSET_TRY(neighbors->write(context, file, table, name));
//
// Threads: one call at a time; write() uses the context's threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/document.h"
#include "collection/output_files.h"
#include "join/documents.h"
#include "join/shared_keys.h"
#include "rows/rows.h"
#include "system/context.h"
#include "twinset/field.h"
#include "twinset/result.h"

namespace twinset {

struct Neighbor {
  DocumentId document;
  std::uint32_t distance = 0;  ///< bits
};

struct NeighborLine {
  std::string_view id;               ///< a JSON value as written
  std::uint64_t input = 0;           ///< of the document
  std::uint64_t record = 0;          ///< likewise
  std::vector<std::uint64_t> equal;  ///< input and record of the first document of its signature
  std::vector<Neighbor> neighbors;   ///< by distance, then in input order
};
std::vector<Field> fields_of(NeighborLine& line);

class Neighbors {
 public:
  /// The neighbors by `pairs` of a join of signatures, whose numbers are distances: of documents of
  /// one signature each is paired with the first. Copies are those of `table`.
  static Result<std::unique_ptr<Neighbors>> make(const RowsOptions& options,
                                                 const DocumentTable& table,
                                                 const SharedPairStore& pairs);

  /// Bytes that make() takes for `documents` documents.
  static std::uint64_t bytes_needed(std::uint64_t documents) { return 20 * documents; }

  /// The neighbors in all lists.
  std::uint64_t entries() const { return entries_; }

  /// Finds the id of a document as JSON.
  using FindName =
      std::function<Status(unsigned worker, std::uint64_t index, std::string_view& json)>;
  Status write(const RunContext& context, LineFile& file, const DocumentTable& table,
               const FindName& name) const;

 private:
  /// Two signatures that are near, by the first documents that have them.
  struct Row {
    std::uint32_t first = 0;
    std::uint32_t distance = 0;
    std::uint32_t other = 0;
    auto operator<=>(const Row&) const = default;
  };
  struct RowLess {
    static std::uint64_t radix(const Row& row) {
      return std::uint64_t{row.first} << 32 | row.distance;
    }
    bool operator()(const Row& a, const Row& b) const { return a < b; }
  };

  explicit Neighbors(const RowsOptions& options) : rows_(options) {}
  /// The documents of a signature, by the first of them, in input order.
  std::span<const std::uint32_t> equal(std::uint32_t first) const {
    return std::span(members_).subspan(begins_[first], begins_[first + 1] - begins_[first]);
  }

  std::vector<std::uint32_t> firsts_;   ///< by document
  std::vector<std::uint32_t> begins_;   ///< in members_, by first document
  std::vector<std::uint32_t> members_;  ///< of each signature
  SortedRows<Row, RowLess> rows_;
  std::uint64_t entries_ = 0;
};

}  // namespace twinset

// Pairs in the order of their families, the connected documents: the pairs of a family follow each
// other, by (a, b), so that its texts are held together.
//
//   const PairFamilies families = PairFamilies::of(pairs, documents, rows).value();
//   auto cursor = families.pairs().read().value();
//   while (const SharedPair* row = cursor->next().value()) use(families.document(row->a));
//
// Memory: bytes_needed(), and that of the rows.
//
// Threads: immutable after of(), but for same(), which one thread asks.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "join/shared_keys.h"
#include "join/union_find.h"
#include "rows/rows.h"
#include "twinset/result.h"

namespace twinset {

class PairFamilies {
 public:
  /// The pairs of documents with an index below `documents`. Errors: of reading and writing rows.
  static Result<PairFamilies> of(const SharedPairStore& pairs, std::uint32_t documents,
                                 const RowsOptions& rows);

  /// Bytes held for so many documents while it is made.
  static constexpr std::uint64_t bytes_needed(std::uint64_t documents) {
    return UnionFind::bytes_needed(documents) + 8 * documents + documents / 8;
  }

  /// The pairs, without their numbers, in the order of families. They have the places of documents,
  /// which are those of one family in a row, in the order of its documents.
  const SharedPairStore& pairs() const { return *pairs_; }
  std::uint32_t document(std::uint32_t place) const { return members_[place]; }
  /// Are the documents of two places of one family?
  bool same(std::uint32_t one, std::uint32_t other) {
    return families_.find(members_[one]) == families_.find(members_[other]);
  }

 private:
  explicit PairFamilies(std::uint32_t documents) : families_(documents) {}

  UnionFind families_;
  std::vector<std::uint32_t> members_;      ///< documents in pairs, by family and index
  std::unique_ptr<SharedPairStore> pairs_;  ///< places in members_
};

}  // namespace twinset

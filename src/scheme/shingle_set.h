// A document's distinct shingles, to count how many of them another document has.
//
// The survivor has a hash set that many members probe. A member has its shingles in text order,
// with repeats. Probing marks the shingles that are found; only the others need a set of their
// own, to be counted once. Sorting both, or a set for each, would cost more than everything else
// in a verification.
//
// Threads: a built set is immutable and shared; a builder or prober belongs to one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scheme/overlap.h"

namespace twinset {

/// A random odd number, the same for the whole process. It affects speed only, never a result.
std::uint64_t process_secret();

/// A set of so many shingles or more is a sorted array: see ShingleSet::take().
inline constexpr std::size_t many_shingles = std::size_t{1} << 20;

/// A set of 64-bit hashes: the distinct ones in the order they came, and a table that finds them.
/// assign() reuses its memory.
class ShingleSet {
 public:
  static constexpr std::uint32_t not_found = ~std::uint32_t{0};

  /// Replaces the content with the distinct values of fewer than many_shingles.
  void assign(std::span<const std::uint64_t> shingles);
  /// The same for any number of shingles. From many_shingles on it takes over the vector and sorts
  /// it, because a table would need several times its memory.
  void take(std::vector<std::uint64_t>& shingles);
  /// The content: ascending if in_order(), else in the order it came.
  std::span<const std::uint64_t> distinct() const { return distinct_; }
  bool in_order() const { return table_.empty(); }
  bool contains(std::uint64_t shingle) const { return place(shingle) != not_found; }
  /// The position of a shingle in distinct(), or not_found.
  std::uint32_t place(std::uint64_t shingle) const {
    if (table_.empty()) return place_in_order(shingle);
    const std::uint64_t hash = shingle * secret_;
    const std::uint32_t tag = tag_of(hash);
    for (std::uint64_t at = hash >> shift_;; at = (at + 1) & mask_) {
      const std::uint32_t entry = table_[at];
      if (entry == 0) return not_found;
      const std::uint32_t place = (entry & place_mask) - 1;
      if ((entry & ~place_mask) == tag && distinct_[place] == shingle) return place;
    }
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(distinct_.size()); }
  /// Bytes held.
  std::uint64_t bytes() const {
    return distinct_.capacity() * sizeof(std::uint64_t) + table_.capacity() * sizeof(std::uint32_t);
  }

 private:
  /// An entry of the table: some bits of the hash, then the place plus 1.
  static constexpr std::uint32_t place_mask = (std::uint32_t{1} << 21) - 1;
  static_assert(many_shingles < place_mask);
  static std::uint32_t tag_of(std::uint64_t hash) {
    return static_cast<std::uint32_t>(hash) & ~place_mask;
  }
  std::uint32_t place_in_order(std::uint64_t shingle) const;

  /// Shingles are uniform only under honest input, so an entry's place comes from
  /// a product with a secret of this process: crafted shingles do not pile up.
  std::uint64_t secret_ = process_secret();
  std::vector<std::uint64_t> distinct_;
  std::vector<std::uint32_t> table_;  ///< a power of two; empty if distinct_ is in order
  std::uint64_t mask_ = 0;
  unsigned shift_ = 0;
};

/// Counts the shingles that one document shares with the sets of others. Reuses its memory
/// from document to document.
class ShingleProber {
 public:
  /// To be filled with the next document's shingles, repeats included; then call ready(), which
  /// sorts them in place if they are many.
  std::vector<std::uint64_t>& shingles() { return shingles_; }
  void ready();

  /// The number of distinct shingles; known after a count().
  std::optional<std::uint32_t> size() const { return size_; }
  /// The number of distinct shingles that are in the set.
  std::uint32_t count(const ShingleSet& set);
  /// The same, but stops early, with less than `needed`, once `needed` is out of reach.
  std::uint32_t count(const ShingleSet& set, std::uint32_t needed);

 private:
  template <class Stop>
  std::uint32_t count_until(const ShingleSet& set, Stop stop);
  /// Marks the place; true if it was not marked yet.
  bool mark(std::uint32_t place) {
    std::uint64_t& word = marks_[place / 64];
    const std::uint64_t bit = std::uint64_t{1} << place % 64;
    const bool fresh = (word & bit) == 0;
    word |= bit;
    return fresh;
  }

  std::vector<std::uint64_t> shingles_;
  bool in_order_ = false;  ///< shingles_ is ascending, without repeats
  std::optional<std::uint32_t> size_;
  std::vector<std::uint64_t> marks_;  ///< a bit for each shingle of the set
  std::vector<std::uint64_t> others_;
  ShingleSet other_set_;
};

/// Counts the shingles of two documents that are compared once. One table holds those of both,
/// which takes a quarter of the time of building and probing a set. Reuses its memory.
class PairCounter {
 public:
  /// Counts the distinct values of each list and of both; `later` is for `a`. Sorts the lists in
  /// place if they are many_shingles together.
  Overlap count(std::vector<std::uint64_t>& a, std::vector<std::uint64_t>& b);

 private:
  Overlap count_by_table(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

  std::uint64_t secret_ = process_secret();  ///< as that of ShingleSet
  /// A power of two: a place in distinct_, or 0, and whether both documents have it.
  std::vector<std::uint32_t> table_;
  std::vector<std::uint64_t> distinct_;  ///< from place 1
};

}  // namespace twinset

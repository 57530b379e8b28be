// Counts the distinct shingles that each two of several documents share, exactly, at the cost of
// what differs among the documents.
//
//   ShingleClasses classes(memory_bytes);
//   for (const auto& shingles : family) classes.add(shingles);
//   classes.finish();
//   ShingleClasses::Weights weights;
//   classes.overlap(7, 3, weights);   // {shared, those of 7, those of 3}
//
// Shingles that the same documents have are a class. The versions of a text have tens of thousands
// of shingles and some dozens of classes: what one edit brought or took away is one. A document
// that is added moves the shingles that it has to classes of their own, so a class is split where
// documents differ, and knows from which it was split: the documents of a class are those on the
// way to its first. (Partition refinement: R. Paige and R. Tarjan, Three partition refinement
// algorithms, 1987.)
//
// Threads: one at a time until finish(), then any, each with weights of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scheme/overlap.h"
#include "scheme/shingle_set.h"

namespace twinset {

class ShingleClasses {
  static constexpr std::uint32_t none = ~std::uint32_t{0};

 public:
  /// What overlap() remembers of its last call.
  class Weights {
   public:
    /// Makes it new, but for its memory.
    void clear() {
      of_class_.clear();
      document_ = none;
    }

   private:
    friend class ShingleClasses;
    std::vector<std::uint32_t> of_class_;  ///< its size if `document_` has it, else 0
    std::uint32_t document_ = none;
  };

  explicit ShingleClasses(std::uint64_t memory_bytes) : memory_bytes_(memory_bytes) {}

  /// Forgets all documents.
  void clear();
  /// The next document, whose number is the documents() before; shingles may repeat. O(shingles).
  void add(std::span<const std::uint64_t> shingles);
  std::uint32_t documents() const { return static_cast<std::uint32_t>(sizes_.size()); }
  /// Does it hold memory_bytes? A document more takes 24 to 48 bytes for each shingle that is new.
  bool full() const { return bytes() >= memory_bytes_; }
  /// After the last document, before overlap().
  void finish();
  /// Of two documents, by their numbers. O(classes of the two); of the second one alone if the
  /// first is that of the call before. `weights` are new, or of a call since finish().
  Overlap overlap(std::uint32_t later, std::uint32_t earlier, Weights& weights) const;

 private:
  struct Class {
    std::uint32_t before = none;  ///< it was split from
    std::uint32_t document = 0;   ///< that made it
    std::uint32_t depth = 1;      ///< the documents that have it
    std::uint32_t size = 0;       ///< its shingles; 0: all have moved on
    std::uint32_t last = none;    ///< split from it
  };

  std::uint64_t bytes() const;
  void grow();
  std::uint32_t new_class(std::uint32_t before);
  std::span<const std::uint32_t> classes_of(std::uint32_t document) const;

  std::uint64_t memory_bytes_;
  std::uint64_t secret_ = process_secret();
  std::vector<std::uint64_t> shingles_;  ///< a table, by place
  std::vector<std::uint32_t> class_of_;  ///< the same; `none` is a free place
  std::size_t distinct_ = 0;             ///< shingles in the table
  unsigned shift_ = 0;                   ///< that leaves of a hash its place
  std::vector<Class> classes_;
  std::vector<std::uint32_t> sizes_;    ///< by document: its shingles
  std::uint64_t memberships_ = 0;       ///< documents of all classes that have a shingle
  std::vector<std::uint64_t> begins_;   ///< by document: of its part of members_
  std::vector<std::uint32_t> members_;  ///< classes, by document
};

}  // namespace twinset

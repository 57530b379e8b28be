// The exact resemblance and containment of two documents, by the tuples of their tokens: the
// definition, with which everything faster is compared.
//
//   const std::vector<std::uint64_t> a = {...}, b = {...};
//   Fraction r = exact_resemblance(ExactShingles(a, 5), ExactShingles(b, 5));
//   bool twins = r.at_least({4, 5});             // integers compared, no floats
//
// Threads: pure functions over values; nothing is shared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluate/oracle.h"

namespace twinset {

/// The set of a document's w-token shingles, tokens kept. 12 bytes a token.
class ExactShingles {
 public:
  /// Copies `tokens` (at most 2^32 - 1 of them); `width` >= 1.
  ExactShingles(std::span<const std::uint64_t> tokens, unsigned width);

  std::size_t size() const { return starts_.size(); }
  unsigned width() const { return width_; }
  /// The i-th smallest shingle's tokens: `width()` of them, or fewer in a short one.
  std::span<const std::uint64_t> shingle(std::size_t i) const;

 private:
  std::vector<std::uint64_t> tokens_;
  std::vector<std::uint32_t> starts_;  // one start a distinct shingle, shingles ascending
  unsigned width_;
};

/// Shingles in both. Both sets must have one width. O(|a| + |b|).
std::uint64_t intersection_size(const ExactShingles& a, const ExactShingles& b);

/// |a and b| / |a or b| (B section 2); unknown if either has no shingle.
Fraction exact_resemblance(const ExactShingles& a, const ExactShingles& b);

/// |a and b| / |a|: how much of `a` is in `b`. Unknown if either has no shingle.
Fraction exact_containment(const ExactShingles& a, const ExactShingles& b);

}  // namespace twinset

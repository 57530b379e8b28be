// Finds every similar pair of a small collection, exactly; everything fast is compared with it.
//
// A document is its token hashes; a shingle is the tuple of its w tokens, and two are equal if
// their tokens are (the fast path's shingle hashes are not used). Fewer than w tokens make one
// short shingle that equals no full one; no tokens make no signature, which resembles nothing (B
// section 2).
//
//   TWINSET_ASSIGN(const auto collection, ShingleCollection::make(tokens, 5, memory_bytes));
//   std::vector<ExactPair> pairs = all_exact_pairs(collection, {.resemblance = {4, 5}});
//   bool twins = pairs[0].resemblance().at_least({9, 10});      // integers compared, no floats
//
// Threads: pure functions over values; nothing is shared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "twinset/ratio.h"
#include "twinset/result.h"

namespace twinset {

/// A measured ratio, to be compared with a Ratio that a user asked for. It has its own type because
/// the size of a union needs more than Ratio's 32 bits. With a zero denominator nothing was
/// measured: it is unknown, and not at least anything.
struct Fraction {
  std::uint64_t numerator = 0;
  std::uint64_t denominator = 0;

  bool known() const { return denominator != 0; }
  double value() const {
    return known() ? static_cast<double>(numerator) / static_cast<double>(denominator) : 0;
  }
  /// numerator / denominator >= bound, compared by integers.
  bool at_least(const Ratio& bound) const {
    return known() && static_cast<unsigned __int128>(numerator) * bound.denominator() >=
                          static_cast<unsigned __int128>(bound.numerator()) * denominator;
  }
};

/// Two documents of a collection, and the counts of their ratios: of shingles, or of the features
/// that a truth compares (truth.h).
struct ExactPair {
  std::uint32_t a = 0;  ///< a < b
  std::uint32_t b = 0;
  std::uint32_t shared = 0;
  std::uint32_t a_size = 0;
  std::uint32_t b_size = 0;

  Fraction resemblance() const { return {shared, std::uint64_t{a_size} + b_size - shared}; }
  Fraction containment_a_in_b() const { return {shared, a_size}; }
  Fraction containment_b_in_a() const { return {shared, b_size}; }
  auto operator<=>(const ExactPair&) const = default;
};

/// A collection's shingles, numbered: two have the same number if and only if they are equal. For
/// collections up to some 20,000 documents; about 60 bytes a distinct shingle and 8 a shingle of
/// each document's set.
class ShingleCollection {
 public:
  /// Keeps no reference to `documents`. Error (usage) as soon as it would need more than
  /// `memory_bytes`.
  static Result<ShingleCollection> make(std::span<const std::span<const std::uint64_t>> documents,
                                        unsigned width, std::uint64_t memory_bytes);

  std::size_t documents() const { return begins_.size() - 1; }
  std::size_t distinct_shingles() const { return frequencies_.size(); }
  /// The numbers of one document's set, rarest shingle of the collection first.
  std::span<const std::uint32_t> shingles(std::size_t document) const {
    return std::span(numbers_).subspan(begins_[document],
                                       begins_[document + 1] - begins_[document]);
  }
  /// Two documents, a < b, with the counts of their ratios. O(|a| + |b|).
  ExactPair pair(std::uint32_t a, std::uint32_t b) const;
  /// The number of documents that hold a shingle.
  std::uint32_t frequency(std::uint32_t shingle) const { return frequencies_[shingle]; }

 private:
  ShingleCollection() = default;
  std::vector<std::uint64_t> begins_;
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint32_t> frequencies_;
};

/// The pairs that count: resemblance >= `resemblance` or, if `containment` is given, containment of
/// either in the other >= it. Both above 0.
struct PairRule {
  Ratio resemblance{4, 5};
  std::optional<Ratio> containment;
};

/// Any rule on the counts of a pair, with the bound that makes the search fast.
struct PairSearch {
  /// For a document of so many shingles, at least 1: each accepted pair shares at least so many
  /// with one of its two documents, or with both.
  std::function<std::uint64_t(std::uint64_t size)> least_shared;
  std::function<bool(const ExactPair&)> accepts;
};

/// Every pair of the collection that the rule accepts, sorted by (a, b), by an inverted index
/// (exact: a partner that shares enough must hold one of the rarest |d| - needed + 1 shingles).
/// Memory: 4 bytes a shingle and 1 a document beside the collection, and the answer, which can have
/// all n (n - 1) / 2 pairs.
std::vector<ExactPair> all_exact_pairs(const ShingleCollection& collection, const PairRule& rule);
std::vector<ExactPair> all_exact_pairs(const ShingleCollection& collection,
                                       const PairSearch& search);

/// The least whole number n with n / size >= bound, at least 1.
std::uint64_t least_shared(std::uint64_t size, const Ratio& bound);

}  // namespace twinset

// The exact answers, slow and obvious, with which everything fast is compared.
//
// A document is its token hashes; a shingle is the tuple of its w tokens, and
// two are equal when their tokens are (the fast path's shingle hashes play no
// part here). Fewer than w tokens make one short shingle that equals no full
// one; no tokens make no signature, which resembles nothing (B section 2).
//
//   const std::vector<std::uint64_t> a = {...}, b = {...};
//   Fraction r = exact_resemblance(ExactShingles(a, 5), ExactShingles(b, 5));
//   bool twins = r.at_least({4, 5});             // integers compared, no floats
//
//   std::vector<OracleDocument> documents = ...;  // in keep order
//   auto outcome = decide_exactly(documents, {.resemblance = {4, 5}});
//   outcome.value().decisions[7].survivor;
//
// Threads: pure functions over values; nothing is shared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "evaluate/share.h"
#include "join/fate.h"
#include "twinset/ratio.h"
#include "twinset/result.h"

namespace twinset {

/// A ratio as measured, to be held against a Ratio as asked for. It is a type of its own: what
/// is in either of two sets needs more than Ratio's 32 bits, and where nothing was measured
/// (a zero denominator) it is unknown, and at least nothing.
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

/// Two documents of a collection and all that their ratios are made of.
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

/// A collection's shingles numbered: equal shingles and only they have equal
/// numbers. Meant for collections up to some 20,000 documents; about 60 bytes a
/// distinct shingle and 8 a shingle of each document's set.
class ShingleCollection {
 public:
  /// Borrows nothing after return. An Error (usage) once more than
  /// `memory_bytes` would be needed.
  static Result<ShingleCollection> make(std::span<const std::span<const std::uint64_t>> documents,
                                        unsigned width, std::uint64_t memory_bytes);

  std::size_t documents() const { return begins_.size() - 1; }
  std::size_t distinct_shingles() const { return frequencies_.size(); }
  /// The numbers of one document's set, rarest shingle of the collection first.
  std::span<const std::uint32_t> shingles(std::size_t document) const {
    return std::span(numbers_).subspan(begins_[document],
                                       begins_[document + 1] - begins_[document]);
  }
  /// Documents that hold a shingle.
  std::uint32_t frequency(std::uint32_t shingle) const { return frequencies_[shingle]; }
  std::uint64_t memory_bytes() const { return memory_bytes_; }

 private:
  ShingleCollection() = default;
  std::vector<std::uint64_t> begins_;
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint32_t> frequencies_;
  std::uint64_t memory_bytes_ = 0;
};

/// Which pairs count: resemblance >= `resemblance`, or, where `containment` is
/// given, either one's containment in the other >= it. Both above 0.
struct PairRule {
  Ratio resemblance{4, 5};
  std::optional<Ratio> containment;
};

/// Visits every pair of the collection that the rule takes, each once, in no
/// promised order, by an inverted index (exact: a partner that shares enough
/// must hold one of the rarest |d| - needed + 1 shingles). Memory: 4 bytes a
/// shingle and 1 a document beside the collection.
void for_each_exact_pair(const ShingleCollection& collection, const PairRule& rule,
                         const std::function<void(const ExactPair&)>& visit);

/// The same pairs in a vector, sorted by (a, b). Grows with the answer, which
/// can be all n (n - 1) / 2.
std::vector<ExactPair> all_exact_pairs(const ShingleCollection& collection, const PairRule& rule);

/// A document as the decision oracle is given it.
struct OracleDocument {
  std::string_view text;                  ///< for "identical": equal bytes
  std::span<const std::uint64_t> tokens;  ///< canonical tokens, in order
  bool reference = false;                 ///< protected: never goes, others may go for it
};

struct OracleRules {
  unsigned shingle_tokens = 5;
  Ratio resemblance{4, 5};
  std::optional<Ratio> containment;  ///< of the later document in the one ahead of it
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
};

struct OracleDecision {
  Fate fate = Fate::kept;            ///< or one of removed_fates
  std::uint32_t survivor = 0;        ///< itself when kept
  std::uint32_t representative = 0;  ///< first of its lexical class in keep order
  Fraction resemblance;              ///< with the survivor; unknown when kept
  Fraction containment;              ///< of this one in the survivor
  Fraction survivor_containment;     ///< of the survivor in this one

  bool kept() const { return fate == Fate::kept; }
};

struct OracleOutcome {
  std::vector<OracleDecision> decisions;  ///< by document
  std::vector<ExactPair> pairs;           ///< of representatives under the rule, sorted by (a, b)

  /// Survivors with at least one other member: survivor first, members in keep
  /// order after it; clusters by survivor.
  std::vector<std::vector<std::uint32_t>> clusters() const;
};

/// The greedy decision, exactly. `documents` are in keep order. Lexically equal
/// documents fold first (a document without tokens folds with equal bytes only);
/// the first of a class represents it. Then each representative in order goes if
/// and only if it has an edge to a kept one ahead of it; its survivor is the
/// first such in keep order. A folded document's survivor is its representative,
/// or that one's survivor with that one's numbers.
/// Errors (usage): collection over rules.memory_bytes, or 2^32 documents.
Result<OracleOutcome> decide_exactly(std::span<const OracleDocument> documents,
                                     const OracleRules& rules);

/// Recall at J: of the pairs whose resemblance is at least `j`, the share of
/// which not both are kept. `kept` is indexed as the pairs' collection is.
Share recall_at(std::span<const ExactPair> pairs, const std::vector<bool>& kept, const Ratio& j);

/// A removal as some run claims it.
struct ClaimedRemoval {
  std::uint32_t document = 0;
  std::uint32_t survivor = 0;
};

struct RemovalCheck {
  Share right;  ///< precision: of the claimed removals, those that hold
  std::vector<ClaimedRemoval> wrong;
};

/// Precision of removals: a claim holds when its survivor is not itself claimed
/// as removed and the two are equal in bytes or tokens, or their exact ratios
/// meet the rules. Indexes out of range are wrong.
RemovalCheck check_removals(std::span<const OracleDocument> documents,
                            std::span<const ClaimedRemoval> removals, const OracleRules& rules);

}  // namespace twinset

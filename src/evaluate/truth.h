// Defines which pairs of documents are due: a method that looks for similar documents should find
// them. A truth is a number for a pair and a bound on it, computed from the counts of two sets: of
// shingles, or of the features that the truth compares.
//
//   const std::unique_ptr<Truth> truth = resemblance_truth({4, 5});
//   truth->value(pair);        // 37/41
//   truth->due(pair);          // is that at least 0.8?
//
//   TWINSET_ASSIGN(const TruthRule rule, parse_truth("cosine:0.9"));   // as users write it
//   TWINSET_ASSIGN(const ShingleCollection features, truth_features(rule, tokens, 5, memory));
//   std::vector<ExactPair> pairs = all_exact_pairs(features, make_truth(rule)->search());
//
// Threads: immutable and shared.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evaluate/oracle.h"
#include "twinset/ratio.h"
#include "twinset/result.h"

namespace twinset {

class Truth {
 public:
  virtual ~Truth() = default;
  virtual Fraction value(const ExactPair& pair) const = 0;
  virtual bool due(const ExactPair& pair) const { return value(pair).at_least(least_); }
  /// A due pair shares at least so many features, seen from either of its documents, if that one
  /// has `size` features. 1: nothing better is known.
  virtual std::uint64_t least_shared(std::uint64_t /*size*/) const { return 1; }
  /// Every due pair. Borrows the truth.
  PairSearch search() const {
    return {[this](std::uint64_t size) { return least_shared(size); },
            [this](const ExactPair& pair) { return due(pair); }};
  }

 protected:
  explicit Truth(const Ratio& least) : least_(least) {}
  const Ratio least_;
};

/// A truth as a user names it.
struct TruthRule {
  enum class Of : std::uint8_t {
    resemblance,  ///< of the sets of shingles
    cosine,       ///< shared / sqrt(a * b), of the sets of different tokens (002 Eq. 2)
    overlap       ///< common tokens / tokens of the shorter document, each with its repeats
  };
  Of of = Of::resemblance;
  Ratio least{4, 5};
  /// Of overlap: the shorter document has at least (1 - length) times the tokens of the longer.
  Ratio length{1, 1};

  std::string spec() const;  ///< "overlap:0.8,length:0.2"
  std::string text() const;  ///< "overlap 0.8 or more, lengths within 0.2"
};

/// "resemblance:R", "cosine:C" or "overlap:O[,length:L]". Errors (usage): another name, a bound
/// that is not above 0 and at most 1, a length that is not at least 0 and at most 1.
Result<TruthRule> parse_truth(std::string_view text);

std::unique_ptr<Truth> make_truth(const TruthRule& rule);

/// The sets whose counts the truth reads, by document: shingles of `shingle_tokens` tokens, or
/// different tokens, or tokens with their repeats. Errors: as ShingleCollection::make.
Result<ShingleCollection> truth_features(const TruthRule& rule,
                                         std::span<const std::span<const std::uint64_t>> documents,
                                         unsigned shingle_tokens, std::uint64_t memory_bytes);

/// Keys for each document so that each due pair shares one: its rarest features, as few as do.
std::vector<std::vector<std::uint64_t>> truth_keys(const ShingleCollection& features,
                                                   const Truth& truth);

std::unique_ptr<Truth> resemblance_truth(const Ratio& least);

/// The larger containment of the two.
std::unique_ptr<Truth> containment_truth(const Ratio& least);

/// The containment of pair.b, the document that would be removed, in pair.a.
std::unique_ptr<Truth> removal_truth(const Ratio& least);

/// Equal labels: 1 or 0. `labels` are by document; a pair with `no_label` has no value.
inline constexpr std::uint32_t no_label = ~std::uint32_t{0};
std::unique_ptr<Truth> label_truth(std::vector<std::uint32_t> labels);

}  // namespace twinset

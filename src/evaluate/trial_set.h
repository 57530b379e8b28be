// The documents on which schemes are tried: sampled documents, edited copies of them, and every
// pair among them all that is truly alike, found exactly.
//
//   Result<TrialSet> set = TrialSet::make(options, std::move(sample).take());
//   for (const ExactPair& pair : set.value().pairs()) ...   // resemblance >= floor
//
// Originals come first, in the collection's order; then their copies. Each edit
// (edits.h) is planted about equally often in each length class.
//
// Threads: immutable and shared once made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "evaluate/document_sample.h"
#include "evaluate/edits.h"
#include "evaluate/evaluation.h"
#include "evaluate/oracle.h"
#include "text/analyzer.h"
#include "twinset/result.h"

namespace twinset {

struct TrialSetOptions {
  const Analyzer* analyzer = nullptr;  ///< required
  unsigned shingle_tokens = 5;         ///< of the truth
  Ratio floor{1, 2};                   ///< pairs from this resemblance on are found ...
  Ratio containment{9, 10};            ///< ... or from this containment on, of either in the other
  std::uint64_t seed = 1;
  /// Copies planted at least; one an original, if there are more of those.
  std::uint64_t least_copies = 480;
  std::uint64_t max_copy_bytes = std::uint64_t{32} << 20;  ///< of all copies
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;     ///< of the exact oracle
  unsigned threads = 1;
};

struct TrialDocument {
  std::string text;
  Analysis analysis;           ///< tokens only
  DocumentPlace place;         ///< of an original
  const Edit* edit = nullptr;  ///< null: an original
  std::uint32_t original = 0;  ///< itself, or what it is a copy of
  LengthClass length = LengthClass::under_50;
};

enum class PairKind : std::uint8_t {
  natural,  ///< two documents of the collection
  planted,  ///< a copy and its original
  other     ///< two copies, or a copy and another original
};
inline constexpr std::size_t pair_kinds = 3;

class TrialSet {
 public:
  /// Errors (usage): no analyzer, no document with a token, or the oracle would
  /// need more than memory_bytes.
  static Result<TrialSet> make(const TrialSetOptions& options, std::vector<SampledDocument> sample);

  const TrialSetOptions& options() const { return options_; }
  std::span<const TrialDocument> documents() const { return documents_; }
  std::size_t originals() const { return originals_; }
  std::uint64_t text_bytes() const { return text_bytes_; }

  /// By (b, a), so that the pairs of one document with those before it are
  /// together: pairs_before().
  std::span<const ExactPair> pairs() const { return pairs_; }
  std::span<const ExactPair> pairs_before(std::uint32_t document) const {
    return std::span(pairs_).subspan(begins_[document], begins_[document + 1] - begins_[document]);
  }
  /// Index in pairs() of the first of pairs_before().
  std::uint64_t first_pair(std::uint32_t document) const { return begins_[document]; }

  PairKind kind(const ExactPair& pair) const;
  /// A copy and its original, exactly, whether or not it is among pairs().
  ExactPair planted_pair(std::uint32_t copy) const { return planted_[copy - originals_]; }

  /// Components of the pairs of at least `resemblance` (>= floor), by document, named
  /// by the first; with `naturals_only` copies stand alone.
  std::vector<std::uint32_t> components(const Ratio& resemblance, bool naturals_only) const;

 private:
  TrialSet() = default;
  void plant();
  void analyze();
  Status find_pairs();

  TrialSetOptions options_;
  std::vector<TrialDocument> documents_;
  std::vector<ExactPair> planted_;
  std::size_t originals_ = 0;
  std::uint64_t text_bytes_ = 0;
  std::vector<ExactPair> pairs_;
  std::vector<std::uint64_t> begins_;
};

/// The larger of the two containments.
Fraction larger_containment(const ExactPair& pair);

}  // namespace twinset

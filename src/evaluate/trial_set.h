// The documents on which methods are tried: sampled documents, edited copies of them, and every
// pair among them that is truly alike, found exactly.
//
//   Result<TrialSet> set = TrialSet::make(options, std::move(sample).take());
//   for (const ExactPair& pair : set.value().pairs()) ...   // resemblance >= floor
//
// Originals come first, in the collection's order; then their copies. Each edit (edits.h) is
// planted about equally often in each length class: mostly one copy of an original, but also
// clusters of 3 and 10 copies, and in each class one of 30 that have all edits in turn.
//
// Threads: immutable and shared once made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evaluate/document_sample.h"
#include "evaluate/edits.h"
#include "evaluate/keep_going.h"
#include "evaluate/oracle.h"
#include "evaluate/truth.h"
#include "text/analyzer.h"
#include "twinset/result.h"

namespace twinset {

/// Documents by canonical tokens: errors of sketches depend on length most.
enum class LengthClass : std::uint8_t { under_50, under_200, under_1000, longer };
inline constexpr std::size_t length_classes = 4;
LengthClass length_class(std::size_t tokens);
/// "<50", "50-199", "200-999", "1000+" tokens.
std::string_view length_class_name(LengthClass length);

struct TrialSetOptions {
  const Analyzer* analyzer = nullptr;  ///< required
  unsigned shingle_tokens = 5;         ///< of the exact pairs
  Ratio floor{1, 2};                   ///< finds pairs from this resemblance on ...
  Ratio containment{9, 10};            ///< ... or from this containment on, of either in the other
  std::optional<TruthRule> truth;      ///< finds the pairs due by it instead
  std::uint64_t seed = 1;
  /// The least number of planted copies; as many as originals, if those are more.
  std::uint64_t least_copies = 480;
  std::uint64_t max_copy_bytes = std::uint64_t{32} << 20;  ///< of all copies
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;     ///< of the exact oracle
  unsigned threads = 1;
  KeepGoing keep_going;
};

struct TrialDocument {
  std::string text;
  std::string left_out = {};   ///< of an original: its page's templates, which are not compared
  Analysis analysis;           ///< its tokens only
  DocumentPlace place;         ///< of an original
  const Edit* edit = nullptr;  ///< null: an original
  std::uint32_t original = 0;  ///< itself, or the original of a copy
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
  /// Errors: usage, if there is no analyzer, no document with a token, or an oracle that would need
  /// more than memory_bytes; keep_going's.
  static Result<TrialSet> make(const TrialSetOptions& options, std::vector<SampledDocument> sample);

  const TrialSetOptions& options() const { return options_; }
  std::span<const TrialDocument> documents() const { return documents_; }
  std::size_t originals() const { return originals_; }
  std::uint64_t text_bytes() const { return text_bytes_; }

  /// Every pair that is alike or, with options().truth, due; its counts are those of the truth. By
  /// (b, a), so that the pairs of one document with those before it are adjacent:
  /// pairs_before().
  std::span<const ExactPair> pairs() const { return pairs_; }
  std::span<const ExactPair> pairs_before(std::uint32_t document) const {
    return std::span(pairs_).subspan(begins_[document], begins_[document + 1] - begins_[document]);
  }
  /// The pair of two documents, a < b; null if it is not among pairs().
  const ExactPair* find(std::uint32_t a, std::uint32_t b) const;
  PairKind kind(const ExactPair& pair) const;
  /// An original's id as JSON; "planted-1" for the first copy.
  std::string name(std::uint32_t document) const;
  /// The document with its page's templates, those of a copy's original, before it.
  std::string whole_text(std::uint32_t document) const;
  /// Any two documents, a < b, compared exactly.
  ExactPair exact_pair(std::uint32_t a, std::uint32_t b) const { return shingles_->pair(a, b); }
  /// The pair of a copy and its original.
  ExactPair planted_pair(std::uint32_t copy) const {
    return exact_pair(documents_[copy].original, copy);
  }

  /// The truth asked for; without one, resemblance from `threshold` on.
  std::unique_ptr<Truth> truth(const Ratio& threshold) const;
  /// The resemblance of a pair of pairs(), whatever the truth.
  Fraction resemblance(const ExactPair& pair) const {
    return (options_.truth ? exact_pair(pair.a, pair.b) : pair).resemblance();
  }

  /// Components of the due pairs, by document, named by the first.
  std::vector<std::uint32_t> components(const Truth& truth) const;

  /// The number of originals that are mostly text common to many: at least half of their distinct
  /// shingles occur in common_least() or more other originals; that is 10 or 1 % of the originals.
  std::uint64_t common_documents() const { return common_documents_; }
  std::uint64_t common_least() const { return common_least_; }

 private:
  TrialSet() = default;
  Status plant();
  Status analyze();
  Status find_pairs();
  void count_common();

  TrialSetOptions options_;
  std::vector<TrialDocument> documents_;
  std::optional<ShingleCollection> shingles_;
  std::size_t originals_ = 0;
  std::uint64_t text_bytes_ = 0;
  std::vector<ExactPair> pairs_;
  std::vector<std::uint64_t> begins_;
  std::uint64_t common_documents_ = 0;
  std::uint64_t common_least_ = 0;
};

}  // namespace twinset

// Evaluation on a user's own collection: plant copies with known edits, let the
// run under test decide, and hold its answer against the exact oracle.
//
//   EvaluationOptions options{.analyzer = find_analyzer("words")};
//   OriginalSample sample(options);
//   for (each document) sample.add(text, tokens);              // any order, streaming
//   auto plan = EvaluationPlan::make(options, std::move(sample));
//   for (i < plan.size()) write(plan.text(i));                 // a collection of its own, or
//                                                              // added to the user's
//   ... run dedup on it, note for each i whether it was kept and its survivor ...
//   auto report = measure(plan, outcomes, threads);
//   print(evaluation_table(report.value()));
//
// What is planted: per edit (edits.h) and length class, clusters of 1, 3, 10 and
// 100 copies of sampled originals. A planted pair is (original, copy); its exact
// resemblance and containment decide whether it ought to be resolved, so an edit
// that destroys a short text asks for nothing.
//
// Threads: an OriginalSample belongs to one; a plan is immutable and shared.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evaluate/edits.h"
#include "evaluate/oracle.h"
#include "evaluate/share.h"
#include "text/analyzer.h"
#include "twinset/result.h"

namespace twinset {

/// Documents by canonical tokens: errors of sketches depend on length most.
enum class LengthClass : std::uint8_t { under_50, under_200, under_1000, longer };
inline constexpr std::size_t length_classes = 4;
LengthClass length_class(std::size_t tokens);
/// "<50", "50-199", "200-999", "1000+" tokens.
std::string_view length_class_name(LengthClass length);

/// So many clusters of so many copies, per edit and length class.
struct PlantedClusters {
  std::uint32_t copies = 1;
  std::uint32_t clusters = 1;
};

/// Which of two documents the run keeps: with a tie, and with `earlier`, the one
/// ahead in the plan. Sizes are distinct shingles.
enum class KeptOfTwo : std::uint8_t { earlier, larger, smaller };

struct EvaluationOptions {
  const Analyzer* analyzer = nullptr;   ///< the run's; required
  unsigned shingle_tokens = 5;          ///< the run's
  Ratio resemblance{4, 5};              ///< the run's threshold
  std::optional<Ratio> containment;     ///< the run's, if it uses one: of the one that goes
  KeptOfTwo kept = KeptOfTwo::earlier;  ///< the run's
  std::uint64_t seed = 1;
  std::array<PlantedClusters, 4> clusters{{{1, 30}, {3, 10}, {10, 3}, {100, 1}}};
  /// Longer documents are not sampled.
  std::uint64_t max_original_bytes = std::uint64_t{128} << 10;
  /// Planted text in all: over it, fewer clusters are planted (and the report's
  /// counts show it).
  std::uint64_t max_planted_bytes = std::uint64_t{256} << 20;
};

/// A uniform sample of distinct texts per length class, the same for any order
/// of adding: those with the least seeded hashes. Holds at most as many as a plan
/// needs, some 900 a class.
class OriginalSample {
 public:
  explicit OriginalSample(const EvaluationOptions& options);
  /// Documents without tokens, or over max_original_bytes, are passed over.
  void add(std::string_view text, std::size_t tokens);
  std::size_t size(LengthClass length) const {
    return texts_[static_cast<std::size_t>(length)].size();
  }

 private:
  friend class EvaluationPlan;
  std::uint64_t seed_;
  std::uint64_t max_original_bytes_;
  std::size_t wanted_;
  std::array<std::map<Fingerprint, std::string>, length_classes> texts_;
};

/// A document of a plan.
struct PlantedTruth {
  const Edit* edit = nullptr;                  ///< null: an original
  std::uint32_t original = 0;                  ///< the plan's document that holds the original
  std::uint32_t copies = 0;                    ///< copies planted in its cluster
  LengthClass length = LengthClass::under_50;  ///< the original's
};

/// A collection to run on, with its truth. Texts are made when asked for; only
/// originals are held.
class EvaluationPlan {
 public:
  /// Errors (usage): no analyzer, or a sample without a single document.
  static Result<EvaluationPlan> make(const EvaluationOptions& options, OriginalSample sample);

  /// Originals and copies, mixed in an order of the seed's choosing.
  std::size_t size() const { return documents_.size(); }
  std::string text(std::size_t document) const;
  const PlantedTruth& truth(std::size_t document) const { return documents_[document].truth; }
  const EvaluationOptions& options() const { return options_; }

 private:
  struct Document {
    PlantedTruth truth;
    std::uint32_t source = 0;  // in originals_
    std::uint64_t seed = 0;
  };
  EvaluationPlan() = default;
  void plant(LengthClass length, std::map<Fingerprint, std::string> texts);
  void mix();
  EvaluationOptions options_;
  std::vector<std::string> originals_;
  std::vector<Document> documents_;
};

/// The run's decision on one document of the plan.
struct PlantedOutcome {
  static constexpr std::uint32_t outside = ~std::uint32_t{0};
  bool kept = true;
  std::uint32_t survivor = outside;  ///< if removed: a document of the plan, or outside
  std::string outside_text;          ///< the survivor's text where it is none of the plan
};

/// One row of a table.
struct EvaluationRow {
  std::string label;
  std::uint64_t planted = 0;    ///< pairs
  double mean_resemblance = 0;  ///< exact, of the pairs
  Share recall;     ///< of pairs at or above a threshold, those of which not both are kept
  Share precision;  ///< of removed documents, those at or above one with their survivor
};

/// A removal that no threshold justifies.
struct WrongRemoval {
  std::uint32_t document = 0;
  std::uint32_t survivor = PlantedOutcome::outside;
  Fraction resemblance;
};

struct EvaluationReport {
  Ratio resemblance;
  std::optional<Ratio> containment;
  std::array<std::size_t, length_classes> originals{};  ///< sampled
  EvaluationRow all;
  std::vector<EvaluationRow> by_edit;         ///< as edits() lists them
  std::vector<EvaluationRow> by_length;       ///< of the original
  std::vector<EvaluationRow> by_copies;       ///< planted in the cluster
  std::vector<EvaluationRow> by_resemblance;  ///< exact, of the pair
  std::vector<WrongRemoval> wrong;            ///< at most 100
};

/// Holds outcomes (one a document of the plan) against the exact ratios. Regenerates
/// every text; about 1 microsecond a token of the plan on one thread.
/// Errors (usage): another number of outcomes than documents.
Result<EvaluationReport> measure(const EvaluationPlan& plan,
                                 std::span<const PlantedOutcome> outcomes, unsigned threads);

/// The report as text tables, 100 columns wide at most.
std::string evaluation_table(const EvaluationReport& report);

/// The report as one JSON object.
std::string evaluation_json(const EvaluationReport& report, std::string_view lost_inputs);

}  // namespace twinset

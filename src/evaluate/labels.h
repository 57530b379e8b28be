// Compares clusters with labels given by people: how well "the same cluster" and "the same label"
// agree, and which text is lost by keeping one document of each cluster.
//
//   const std::vector<std::uint32_t> clusters = {0, 0, 2}, labels = {7, 7, 9};
//   TWINSET_ASSIGN(LabelMeasures measures, measure_labels(clusters, labels, bytes, seed, {}));
//   measures.adjusted_rand;                // 1
//
// Labels are one person's idea of sameness: license texts that differ only in a name share a
// license, versions of one text may not. A measure below 1 is a question, not a fault.
//
// For intervals of 95 % each label is one observation: a bootstrap draws whole labels, and a
// share's interval is not narrower than Wilson's with as many observations as labels.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <span>

#include "evaluate/clustered_share.h"
#include "evaluate/tally.h"

namespace twinset {

/// A number with its interval.
struct Measure {
  double value = 1;
  Interval interval;
};

struct LabelMeasures {
  std::uint64_t documents = 0;
  std::uint64_t labels = 0;       ///< distinct
  std::uint64_t clusters = 0;     ///< singletons counted
  ClusteredShare pair_precision;  ///< share of pairs in one cluster that have one label
  ClusteredShare pair_recall;     ///< share of pairs of one label that are in one cluster
  /// Hubert and Arabie, "Comparing partitions", 1985: agreement on pairs, minus the agreement
  /// expected by chance; 1 for equal partitions, 0 expected by chance. 1 if chance leaves no room
  /// (both all singletons, or both one cluster).
  Measure adjusted_rand;
  /// Bagga and Baldwin, 1998: a document's precision is the share of its cluster that has its
  /// label, itself included; its recall is the share of its label that is in its cluster. Means
  /// over documents; f1 is of the two means.
  Measure bcubed_precision;
  Measure bcubed_recall;
  Measure bcubed_f1;
  std::uint64_t bytes = 0;              ///< of text, in all
  std::uint64_t removed_documents = 0;  ///< all but the first of each cluster
  std::uint64_t removed_bytes = 0;
  std::uint64_t lost_documents = 0;  ///< removed, and no kept document has their label
  std::uint64_t lost_bytes = 0;
  Measure lost_share;  ///< of the bytes
};

/// All three are by document, in keep order; clusters and labels are any numbers.
/// Sums of pairs are exact below 2^31 documents. O(n log n) and 1,000 draws of the labels.
/// Errors: keep_going's.
Result<LabelMeasures> measure_labels(std::span<const std::uint32_t> clusters,
                                     std::span<const std::uint32_t> labels,
                                     std::span<const std::uint64_t> bytes, std::uint64_t seed,
                                     const KeepGoing& keep_going);

}  // namespace twinset

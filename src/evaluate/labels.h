// Compares clusters with labels that someone gave: how far "the same cluster" and
// "the same label" agree, and what text is lost by keeping one of each cluster.
//
//   const std::vector<std::uint32_t> clusters = {0, 0, 2}, labels = {7, 7, 9};
//   LabelMeasures measures = measure_labels(clusters, labels, bytes);
//   measures.adjusted_rand;                // 1
//
// Labels are one person's idea of sameness: license texts that differ in a name
// only share a license, versions of one text may not. A measure below 1 is a
// question, not a fault.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <span>

#include "evaluate/share.h"

namespace twinset {

struct LabelMeasures {
  std::uint64_t documents = 0;
  std::uint64_t labels = 0;    ///< distinct
  std::uint64_t clusters = 0;  ///< singletons counted
  Share pair_precision;        ///< of pairs in one cluster, those of one label
  Share pair_recall;           ///< of pairs of one label, those in one cluster
  /// Hubert and Arabie, "Comparing partitions", 1985: pairs agreed upon, less
  /// what chance alone would give; 1 for equal partitions, 0 expected by chance.
  /// Where chance leaves no room (both all singletons, or both one cluster): 1.
  double adjusted_rand = 1;
  /// Bagga and Baldwin, 1998: a document's precision is the share of its cluster
  /// that has its label, itself counted; its recall the share of its label that
  /// is in its cluster. Means over documents; f1 is of the two means.
  double bcubed_precision = 1;
  double bcubed_recall = 1;
  double bcubed_f1 = 1;
  std::uint64_t bytes = 0;              ///< of text, in all
  std::uint64_t removed_documents = 0;  ///< all but the first of each cluster
  std::uint64_t removed_bytes = 0;
  std::uint64_t lost_documents = 0;  ///< removed, and no kept document has their label
  std::uint64_t lost_bytes = 0;
};

/// All three are by document, in keep order; clusters and labels are any numbers.
/// Sums of pairs are exact below 2^32 documents. O(n log n).
LabelMeasures measure_labels(std::span<const std::uint32_t> clusters,
                             std::span<const std::uint32_t> labels,
                             std::span<const std::uint64_t> bytes);

}  // namespace twinset

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
#include "twinset/evaluate.h"

namespace twinset {

/// All three are by document, in keep order; clusters and labels are any numbers.
/// Sums of pairs are exact below 2^31 documents. O(n log n) and 1,000 draws of the labels.
/// Errors: keep_going's.
Result<LabelMeasures> measure_labels(std::span<const std::uint32_t> clusters,
                                     std::span<const std::uint32_t> labels,
                                     std::span<const std::uint64_t> bytes, std::uint64_t seed,
                                     const KeepGoing& keep_going);

}  // namespace twinset

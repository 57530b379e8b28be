// Predicts the result of matching a collection from a sample of its keys.
//
//   const SampleBatch& sampled = sample.finish();
//   const Forecast seen = forecast(sample, sampled, documents, *scheme, {.threshold = Ratio(4,
//   5)}); seen.pairs.value, seen.pairs.low, seen.pairs.high
//
// If keys are sampled at the rate q, a pair that shares B keys is seen with probability
// 1 - (1 - q)^B. B is known, because a sampled document brings all its keys. Each pair seen
// is weighted by the inverse of that probability (Horvitz and Thompson, JASA 47, 1952), and a
// removed document by the keys it shares with its possible survivors. With q = 1 all keys are
// counted. With q < 1 the keys of unseen partners are not known: removals and members of
// large clusters are predicted slightly too high, the lower ends of their intervals assume
// that every key shows them, and clusters are seen in pieces.
//
// Sketches estimate whether a pair reaches the threshold; the run reads the texts. So
// everything is computed three times, with each pair at its estimate and at both ends of its
// interval: no number that depends on estimates has an interval without width.
//
// Intervals are normal and treat connected documents as one draw; their upper ends allow for
// results that no sampled key shows. If a few keys or one large cluster make most of a
// number, the sample cannot tell it, and the number is not predictable.
//
// Threads: pure functions of their arguments.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "plan/key_sample.h"
#include "scheme/scheme.h"
#include "twinset/plan.h"

namespace twinset {

struct ForecastRule {
  Ratio threshold{4, 5};
  std::uint64_t max_group = 0;  ///< counted keys of more documents are cut; 0: none
  bool stars = false;           ///< clusters are stars, as dedup makes them
  std::uint64_t most_pairs = std::uint64_t{4} << 20;  ///< looked at; more thin the sample
  /// Called now and then; if it returns true, ignore the result.
  std::function<bool()> stopped = nullptr;
};

struct Forecast {
  static constexpr unsigned bins = 20;

  double key_share = 1;         ///< share of the keys that were sampled
  double probe_share = 1;       ///< share of the documents whose pairs were looked at
  std::uint64_t documents = 0;  ///< documents looked at
  Predicted copies;             ///< documents that are folded
  Predicted candidates;         ///< distinct pairs that share a key and meet
  Predicted groups;             ///< keys of two documents and more
  Predicted common_keys;        ///< cut
  Predicted meetings;           ///< of two documents under a key, if keys are counted
  bool estimates = true;        ///< false: sketches tell nothing, and all below is 0
  double checked = 0;           ///< candidates whose sketches do not rule them out
  Predicted pairs;              ///< candidates at the threshold and above
  Predicted removed;            ///< documents with such a pair to one kept, copies not counted
  Predicted clusters;           ///< components by such pairs and copies, or stars
  Predicted clustered;          ///< documents in them, copies too
  double judged_bytes = 0;      ///< of the texts in such pairs, which verification reads
  double cached_bytes = 0;      ///< of those texts, the ones that are earlier in several pairs
  double judged_tokens = 0;     ///< of both texts of each judged pair, summed
  /// Candidates by estimated resemblance: [i] is for i / bins to (i + 1) / bins.
  std::array<double, bins> by_resemblance{};

  /// True if all keys and the pairs of all documents were looked at. Sketches remain estimates.
  bool counted() const { return key_share == 1 && probe_share == 1; }
};

/// The sum of two independent predictions.
Predicted sum(const Predicted& a, const Predicted& b);

/// `documents`: the number of documents that were read and take part. The sample must be finished.
Forecast forecast(const KeySample& sample, const SampleBatch& sampled, std::uint64_t documents,
                  const Scheme& scheme, const ForecastRule& rule);

}  // namespace twinset

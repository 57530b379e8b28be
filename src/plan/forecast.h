// What matching a collection will find, predicted from a sample of its keys.
//
//   const SampleBatch& sampled = sample.finish();
//   const Forecast seen = forecast(sample, sampled, documents, *scheme, {.threshold = 0.8});
//   seen.pairs.value, seen.pairs.low, seen.pairs.high
//
// A pair that shares B keys is seen with probability 1 - (1 - q)^B when keys are
// sampled at the rate q; B is known, for a sampled document brings all its keys. So
// each pair seen stands for 1 / that of them (Horvitz and Thompson, JASA 47, 1952),
// and a document by the keys it shares with those that would see it go. With q = 1
// all keys are counted. With q < 1 the keys that unseen partners would show are not
// known: removals and members of large clusters are predicted some too high, and their
// lower ends suppose that every key shows them; clusters are seen in pieces.
//
// Sketches estimate whether a pair reaches the threshold; the run asks the texts. So all
// that follows is decided three times, with each pair at its estimate and at the two ends of
// its interval: no number that rests on estimates has an interval of no width.
//
// Intervals take what is connected in the sample as one draw, and are normal; their
// upper ends allow for what no sampled key shows. Where a few keys, or one large cluster,
// rule what is counted, the sample does not tell it, and a number is not predictable.
//
// Threads: pure functions of their arguments.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "join/key_sample.h"
#include "scheme/scheme.h"
#include "twinset/plan.h"

namespace twinset {

struct ForecastRule {
  double threshold = 0.8;
  std::uint64_t max_group = 0;  ///< counted keys of more documents are cut; 0: none
  bool stars = false;           ///< clusters are survivors with those they stand for, as of dedup
  std::uint64_t most_pairs = std::uint64_t{4} << 20;  ///< looked at; more thin the sample
  /// Asked now and then; when true what is returned means nothing.
  std::function<bool()> stopped = nullptr;
};

struct Forecast {
  static constexpr unsigned bins = 20;

  double key_share = 1;         ///< of the keys, that the answer is from
  double probe_share = 1;       ///< of the documents, whose pairs were looked at
  std::uint64_t documents = 0;  ///< looked at
  Predicted copies;             ///< documents that folding takes
  Predicted candidates;         ///< distinct pairs that share a key and meet
  Predicted groups;             ///< keys of two documents and more
  Predicted common_keys;        ///< cut
  Predicted meetings;           ///< of two documents under a key, where keys are counted
  bool estimates = true;        ///< false: sketches say nothing, and what follows is 0
  double checked = 0;           ///< candidates whose sketches do not rule them out
  Predicted pairs;              ///< candidates at the threshold and above
  Predicted removed;            ///< documents with such a pair to one kept, copies not counted
  Predicted clusters;           ///< components by such pairs and copies, or stars
  Predicted clustered;          ///< documents in them, copies too
  double judged_bytes = 0;      ///< of the texts in such pairs: what verification reads
  double survivor_bytes = 0;    ///< of those that stay
  double judged_tokens = 0;     ///< of both texts of each pair that is judged, summed
  /// Candidates by estimated resemblance: [i] is of i / bins to (i + 1) / bins.
  std::array<double, bins> by_resemblance{};

  /// Every key and every document's pairs were looked at; what sketches say is an estimate.
  bool counted() const { return key_share == 1 && probe_share == 1; }
};

/// The sum of two that are independent.
Predicted sum(const Predicted& a, const Predicted& b);

/// `documents`: all that were read and take part. The sample must be finished.
Forecast forecast(const KeySample& sample, const SampleBatch& sampled, std::uint64_t documents,
                  const Scheme& scheme, const ForecastRule& rule);

}  // namespace twinset

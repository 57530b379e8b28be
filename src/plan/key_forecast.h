// Predicts the groups of a collection's keys from a sample of its keys: the keys of several
// documents, the common keys, and the meetings of two documents under a key.
//
//   const KeyForecast keys = forecast_keys(sampled, sample.halvings(), documents, max_group);
//   keys.meetings.low, keys.meetings.high
//
// A sampled key brings all its documents, so its group is known as a whole; only the choice
// of keys is random. If every key is sampled, all numbers are exact. If a few keys of very
// many documents make most of a sum (a template that a part of the collection repeats), a
// sample has none of them or too many, and the sum is not predictable. Such keys are noticed
// even if they are not sampled, because documents bring all their keys.
//
// Threads: a pure function.
#pragma once

#include <cstdint>

#include "plan/key_sample.h"
#include "twinset/plan.h"

namespace twinset {

struct KeyForecast {
  Predicted groups;       ///< keys of two or more documents, without common ones
  Predicted common_keys;  ///< in more than max_group documents
  Predicted meetings;     ///< of two documents under a key that is not common
  /// True if it is known of nearly all keys whether they are common; else the numbers without
  /// common keys are not known.
  bool common_known = true;
};

/// The sampled share of keys is 2^-`halvings`. `max_group` of 0 cuts nothing.
KeyForecast forecast_keys(const SampleBatch& sampled, unsigned halvings, std::uint64_t max_group);

}  // namespace twinset

// What the groups of a collection's keys will be, from a sample of its keys: how many keys
// several documents hold, how many are common, how often two documents meet under one.
//
//   const KeyForecast keys = forecast_keys(sampled, sample.halvings(), documents, max_group);
//   keys.meetings.low, keys.meetings.high
//
// A sampled key brings all its holders, so that its group is known whole; what is left to
// chance is which keys were sampled. Where every key is there, all is exact. Where a few keys
// of very many holders rule the sum (a template that a part of the collection repeats), a
// sample has either none of them or too many: what it says is not predictable then. Such keys
// are noticed though they are not sampled, for documents bring all of theirs.
//
// Threads: a pure function.
#pragma once

#include <cstdint>

#include "join/key_sample.h"
#include "twinset/plan.h"

namespace twinset {

struct KeyForecast {
  Predicted groups;       ///< keys of two documents and more, common ones apart
  Predicted common_keys;  ///< of more than max_group
  Predicted meetings;     ///< of two documents under a key that is not common
  /// Whether a key is common is known of all but a few: else what is counted without the
  /// common ones is not.
  bool common_known = true;
};

/// `halvings`: of the share of keys that is sampled. `max_group` of 0 cuts nothing.
KeyForecast forecast_keys(const SampleBatch& sampled, unsigned halvings, std::uint64_t max_group);

}  // namespace twinset

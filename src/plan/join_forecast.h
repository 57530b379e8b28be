// Predicts a join of signatures from those of a sample, before any two are compared.
//
//   const JoinForecast seen = forecast_join(context, sample, sampled, *scheme, 3, most_compared);
//   seen.join.comparisons     // 1.2e9 in 10 tables
//   seen.pairs                // that are near, if all signatures are held and few to compare
//
// The tables are those that the run would choose (join/hamming_plan.h), which chooses them from a
// sample, too. Of signatures that are all held the plan is the run's.
//
// Threads: one call at a time; it uses the context's threads.
#pragma once

#include <cstdint>

#include "plan/key_sample.h"
#include "scheme/scheme.h"
#include "system/context.h"
#include "twinset/plan.h"
#include "twinset/result.h"

namespace twinset {

struct JoinForecast {
  PlannedJoin join;
  Predicted pairs{.predictable = false};  ///< documents of an equal signature meet the first alone
};

/// Counts the pairs if no more than `most_compared` comparisons are needed. Errors: interrupted, io
/// (no memory).
Result<JoinForecast> forecast_join(const RunContext& context, const KeySample& sample,
                                   const SampleBatch& sampled, const Scheme& scheme,
                                   std::uint32_t distance, double most_compared);

}  // namespace twinset

// What the stages behind pass 1 will take, from what it read and what is predicted.
//
// Times rest on the pace at which this very run has read, and on what a row, a pair
// and a record cost on the machine of docs/performance.md; memory and spills on the
// stages' shares of the budget.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/forecast.h"
#include "run/job.h"
#include "twinset/plan.h"

namespace twinset {

struct Costs {
  double peak_memory = 0;         ///< bytes
  double spilled = 0;             ///< bytes
  std::vector<StageTime> stages;  ///< behind "read"
};

/// What pass 1 took: its time, and the peak memory of the process, `sampling` bytes of which
/// are the plan's own.
struct ReadCost {
  StageTime time;
  std::uint64_t peak_memory = 0;
  std::uint64_t sampling = 0;
};

Costs dedup_costs(const Job& job, const ReadState& state, const Forecast& seen,
                  const ReadCost& read);
Costs cluster_costs(const Job& job, const ReadState& state, const Forecast& seen,
                    const ReadCost& read);

/// Bytes for rows with which those of pass 1 stay in memory.
std::uint64_t unspilled_memory(const ReadState& state);

}  // namespace twinset

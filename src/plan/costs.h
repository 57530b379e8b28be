// Predicts the costs of the stages after pass 1, from the numbers of pass 1 and the forecast.
//
// Times come from the speed of this reading, and from the costs of a row, a pair and a record
// on the machine of docs/performance.md; memory and spills from the stages' shares of the
// budget.
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
  std::vector<StageTime> stages;  ///< after "read"
};

/// The cost of pass 1: its time, and the peak memory of the process, which includes
/// `sampling` bytes of the plan's own.
struct ReadCost {
  StageTime time;
  std::uint64_t peak_memory = 0;
  std::uint64_t sampling = 0;
  std::uint64_t keys = 0;        ///< of all documents
  std::uint64_t name_bytes = 0;  ///< of their ids
  double join_cpu_seconds = 0;   ///< of a join of signatures
};

Costs dedup_costs(const Job& job, const ReadState& state, const Forecast& seen,
                  const ReadCost& read);
Costs cluster_costs(const Job& job, const ReadState& state, const Forecast& seen,
                    const ReadCost& read);

/// The memory at which the rows of pass 1 do not spill.
std::uint64_t unspilled_memory(const ReadState& state, const ReadCost& read);

}  // namespace twinset

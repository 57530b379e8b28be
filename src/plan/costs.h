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

/// What costs depend on of a machine.
struct Machine {
  double threads = 1;               ///< busy at once
  double workers = 1;               ///< threads that there are
  std::uint64_t row_memory = 0;     ///< bytes
  std::uint64_t worker_memory = 0;  ///< bytes, of each worker
};

/// Seconds of CPU to unpack a byte, by one thread.
inline constexpr double unpacked_byte = 0.4e-9;

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

  /// The memory of the process without rows: its batches and tables.
  double base_memory() const;
};

/// This machine, as busy as reading kept it.
Machine this_machine(const Job& job, const ReadCost& read);
/// One with `cores`, of which reading keeps the same share busy, and the same --memory.
Machine machine_of(unsigned cores, const Job& job, const ReadState& state, const ReadCost& read);

Costs dedup_costs(const Job& job, const ReadState& state, const Forecast& seen,
                  const ReadCost& read, const Machine& machine);
Costs cluster_costs(const Job& job, const ReadState& state, const Forecast& seen,
                    const ReadCost& read, const Machine& machine);

/// The bytes that pass 1 leaves for the stages after it.
struct RowBytes {
  double fold = 0;     ///< rows of fingerprints
  double keys = 0;     ///< rows of keys
  double records = 0;  ///< places, sizes and names of records, and what is stored of each
  double all() const { return fold + keys + records; }
};
RowBytes row_bytes(const Job& job, PlannedRun run, const ReadState& state, const ReadCost& read);
/// Of these, the bytes that pass 1 holds in memory.
double held_rows(const RowBytes& rows, const Machine& machine);
/// The compressed share of the stored bytes.
double packed_share(const Job& job);

/// The memory at which the rows of pass 1 do not spill.
std::uint64_t unspilled_memory(const ReadState& state, const ReadCost& read);

}  // namespace twinset

// Predicts the costs of a run on many machines: each reads its shard of the inputs (run/shard.h),
// and one of them merges what all have left.
//
// Reading, by the speed of this reading, is divided by machines and cores, but for what no division
// shortens: files are never cut, and one thread takes the bytes of a shard. What is moved are the
// rows that a shard's folder has. The merge is the rest of the run, on one machine.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plan/costs.h"
#include "plan/forecast.h"
#include "run/job.h"
#include "twinset/plan.h"
#include "twinset/result.h"

namespace twinset {

/// The machines and cores of "100x16"; nullopt if `text` is empty. Error (usage): it is neither, or
/// `documents` are given without machines.
Result<std::optional<PlannedCluster>> read_cluster(const std::string& text,
                                                   std::uint64_t documents);

/// The share of all stored bytes that the largest of so many shards has.
double largest_share(std::uint64_t shards, std::span<const Source> sources);

/// What a run has to do.
struct PlannedWork {
  PlannedRun run = PlannedRun::dedup;
  ReadState state;
  Forecast seen;
  ReadCost read;
  double files = 0;
  double stored_bytes = 0;   ///< of all inputs
  double largest_share = 1;  ///< of these, that of the largest shard
};
PlannedWork planned_work(const Job& job, PlannedRun run, const ReadState& state,
                         const Forecast& seen, const ReadCost& read, std::uint64_t machines);

/// The same for as many documents and files as `cluster` has documents, all like those read.
void scale(const PlannedCluster& cluster, PlannedWork& work);

/// The stages, from the reading of the shards to the end of their merge.
std::vector<PlannedStage> shard_stages(const Job& job, const PlannedWork& work,
                                       const PlannedCluster& cluster);

}  // namespace twinset

// A pass over a collection: reads every record once and gives it to collectors.
//
// Workers take batches in input order (splitting and decompression are under one lock), make
// the collectors' rows in parallel, and put them in input order again, so that what is left is
// the same for any number of workers. A checkpoint is taken between two batches.
//
// Threads: one call at a time; uses the context's threads.
#pragma once

#include <functional>
#include <span>

#include "run/collector.h"
#include "run/job.h"
#include "twinset/result.h"

namespace twinset {

/// Saves a checkpoint, from which a killed run continues at `state`.
using SaveCheckpoint = std::function<Status(const ReadState& state)>;

/// Reads all sources from `state` on and leaves it finished. The collectors are open.
Status read_collection(const Job& job, std::span<Collector* const> collectors,
                       const SaveCheckpoint& save, ReadState& state);

}  // namespace twinset

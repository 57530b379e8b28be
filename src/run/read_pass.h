// A pass over a collection: reads every record once and gives it to collectors.
//
// Workers take batches in input order (splitting and decompression are under one lock), make the
// collectors' rows in parallel, and put them in input order, so that the result is the same for any
// number of workers. Checkpoints are saved between two batches.
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

/// Error (bad records): more than CollectionOptions::max_bad are bad.
Status check_bad_records(const Job& job, const ReadState& state);

/// Reads all sources from `state` on, until that is finished. The collectors must be open.
Status read_collection(const Job& job, std::span<Collector* const> collectors,
                       const SaveCheckpoint& save, ReadState& state);

}  // namespace twinset

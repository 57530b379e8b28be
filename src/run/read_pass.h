// Pass 1: reads every record once, from its bytes to fingerprints, sketch and keys.
//
// Workers take batches in input order (splitting and decompression are under one
// lock), analyze them in parallel, and commit them in input order again, so that the files
// (records, ids, sketches, quarantine) are the same for any number of workers. A checkpoint
// is taken between two commits.
//
// Threads: one call at a time; uses the context's threads.
#pragma once

#include <functional>

#include "run/job.h"
#include "twinset/result.h"

namespace twinset {

/// Saves a checkpoint, from which a killed run continues at `state`.
using SaveCheckpoint = std::function<Status(const ReadState& state)>;

/// Reads all inputs from `state` on and leaves it finished.
Status read_inputs(const Job& job, Stores& stores, const SaveCheckpoint& save, ReadState& state);

}  // namespace twinset

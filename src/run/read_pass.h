// Pass 1: every record once, from bytes to fingerprints, sketch and keys.
//
// Workers take batches in input order (splitting and decompression are under one
// lock), analyze them on their own, and commit them in input order again, so
// that what is appended (records, ids, sketches, quarantine) is the same for any
// number of workers. A checkpoint is taken between two commits.
//
// Threads: one call at a time; uses the context's threads.
#pragma once

#include <functional>

#include "run/job.h"
#include "twinset/result.h"

namespace twinset {

/// Saves what a killed run needs to go on from `state`.
using SaveCheckpoint = std::function<Status(const ReadState& state)>;

/// Reads all inputs from `state` on and leaves it finished.
Status read_inputs(const Job& job, Stores& stores, const SaveCheckpoint& save, ReadState& state);

}  // namespace twinset

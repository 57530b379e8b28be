// Work shared by a few threads: the one loop every parallel stage is written in.
//
//   Status done = run_workers(context.threads, [&](unsigned worker) -> Status {...});
//
// Threads: the call returns when all workers have returned.
#pragma once

#include <functional>

#include "twinset/result.h"

namespace twinset {

/// From now on other threads go before the calling one where there are too few cores for all.
void let_others_first();

/// Runs `work(0) ... work(threads - 1)`, the last on the calling thread, and returns the
/// first error by worker number. A failed worker does not stop the others: share a flag
/// if they should return early.
Status run_workers(unsigned threads, const std::function<Status(unsigned)>& work);

}  // namespace twinset

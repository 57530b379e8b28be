// Work shared by a few threads: the one loop every parallel stage is written in.
//
//   Status done = run_workers(context.threads, [&](unsigned worker) -> Status {...});
//
// Threads: the call returns when all have returned.
#pragma once

#include <functional>

#include "twinset/result.h"

namespace twinset {

/// Runs `work(0) ... work(threads - 1)`, the last on the calling thread, and
/// returns the first error by worker number. `work` must return soon after
/// another has failed only if it looks; share a flag where that matters.
Status run_workers(unsigned threads, const std::function<Status(unsigned)>& work);

}  // namespace twinset

// What every stage of a run is given: where its files go, how much memory and
// how many threads it may use, how it is told to stop, whom it tells of progress.
//
// Threads: read by all; `cancel` is set by one (a signal handler may).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "base/files.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

struct RunContext {
  FileSystem* files = nullptr;
  std::uint64_t memory_bytes = 0;  ///< peak resident size allowed, mapped pages included
  unsigned threads = 1;
  std::string tmp;  ///< folder for spills; exists
  const std::atomic<bool>* cancel = nullptr;
  ProgressSink* progress = nullptr;
  bool continues = false;  ///< what an interrupted run leaves, the same command continues

  bool cancelled() const { return cancel != nullptr && cancel->load(std::memory_order_relaxed); }
  /// An Error of code `interrupted` when the caller asked to stop.
  Status check_cancelled() const {
    if (!cancelled()) return {};
    return Error{ErrorCode::interrupted, continues
                                             ? "interrupted; the same command continues this run"
                                             : "interrupted; nothing was left behind"};
  }
};

}  // namespace twinset

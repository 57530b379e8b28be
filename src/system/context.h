// The context of every stage of a run: its files, memory and threads, the flag that
// cancels it, and the sink for its progress.
//
// Threads: read by all; `cancel` is set by one (a signal handler may).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "system/files.h"
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
  bool continues = false;  ///< the same command continues an interrupted run

  bool cancelled() const { return cancel != nullptr && cancel->load(std::memory_order_relaxed); }
  /// An Error of code `interrupted` if the caller asked to stop.
  Status check_cancelled() const {
    if (!cancelled()) return {};
    return Error{ErrorCode::interrupted, continues
                                             ? "interrupted; the same command continues this run"
                                             : "interrupted; nothing was left behind"};
  }
};

}  // namespace twinset

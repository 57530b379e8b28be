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

/// The files that a caller wants to be read and made. Nothing else in the house chooses them.
inline FileSystem& files_of(const RunControl& control) {
  return control.files != nullptr ? *control.files : disk();
}

/// An Error of code `interrupted` if the caller of a function that leaves nothing behind asked to
/// stop.
inline Status check_stop(const std::atomic<bool>* cancel) {
  if (cancel == nullptr || !cancel->load(std::memory_order_relaxed)) return {};
  return Error{ErrorCode::interrupted, "interrupted"};
}

struct RunContext {
  FileSystem* files = nullptr;
  std::uint64_t memory_bytes = 0;  ///< peak resident size allowed, mapped pages included
  unsigned threads = 1;
  unsigned level = 0;  ///< of packed outputs; 0: the usual one of each kind
  std::string tmp;     ///< folder for spills; exists
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

/// The context of what a caller asks for, with one thread and no memory yet.
inline RunContext context_of(const RunControl& control) {
  RunContext context;
  context.files = &files_of(control);
  context.cancel = control.cancel;
  context.progress = control.progress;
  return context;
}

}  // namespace twinset

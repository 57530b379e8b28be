// A lock that whoever waits for it may give up, such as one of a question with a time limit that
// waits for another one's work.
//
//   TWINSET_ASSIGN(const std::unique_lock lock, lock_unless_stopped(mutex, cancel));
//
// Threads: any.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "system/context.h"
#include "twinset/result.h"

namespace twinset {

/// Error (interrupted): `cancel`, which may be null, was set before the lock could be had.
inline Result<std::unique_lock<std::mutex>> lock_unless_stopped(std::mutex& mutex,
                                                                const std::atomic<bool>* cancel) {
  constexpr std::chrono::milliseconds between_looks{5};
  std::unique_lock lock(mutex, std::defer_lock);
  if (cancel == nullptr) lock.lock();
  while (!lock.owns_lock() && !lock.try_lock()) {
    TWINSET_TRY(check_stop(cancel));
    std::this_thread::sleep_for(between_looks);
  }
  return lock;
}

}  // namespace twinset

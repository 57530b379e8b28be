#include "deadlines.h"

#include <iterator>
#include <utility>

namespace twinset::service {

Deadlines::~Deadlines() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  earlier_.notify_one();
  watcher_.join();
}

Deadlines::Limit Deadlines::after(std::chrono::milliseconds time) {
  const std::lock_guard lock(mutex_);
  const auto flag = flags_.emplace(Clock::now() + time, false);
  // Whoever watches sleeps until the first that has not passed.
  if (flag == flags_.begin() || std::prev(flag)->second) earlier_.notify_one();
  return {this, flag};
}

void Deadlines::forget(Flags::iterator flag) {
  const std::lock_guard lock(mutex_);
  flags_.erase(flag);
}

/// Sleeps until the earliest end that it knew, and looks again.
void Deadlines::watch() {
  std::unique_lock lock(mutex_);
  while (!ends_) {
    const Clock::time_point now = Clock::now();
    auto next = flags_.begin();
    for (; next != flags_.end() && next->first <= now; ++next) next->second = true;
    if (next == flags_.end()) {
      earlier_.wait(lock);
    } else {
      const Clock::time_point end = next->first;
      earlier_.wait_until(lock, end);
    }
  }
}

}  // namespace twinset::service

#include "pool.h"

#include <algorithm>
#include <utility>

namespace twinset::service {

Pool::Pool(unsigned threads, std::size_t most_waiting) : most_waiting_(most_waiting) {
  for (unsigned i = 0; i < std::max(threads, 1U); ++i) threads_.emplace_back([this] { work(); });
}

Pool::~Pool() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  there_is_one_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool Pool::offer(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    if (tasks_.size() >= most_waiting_) return false;
    tasks_.push_back(std::move(task));
  }
  there_is_one_.notify_one();
  return true;
}

std::size_t Pool::waiting() const {
  const std::lock_guard lock(mutex_);
  return tasks_.size();
}

void Pool::work() {
  for (;;) {
    std::function<void()> task;
    {
      std::unique_lock lock(mutex_);
      there_is_one_.wait(lock, [this] { return ends_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
  }
}

}  // namespace twinset::service

// Threads that do tasks in the order of their coming, of which a bounded number waits.
//
//   Pool pool(2, 100);
//   if (!pool.offer([&] { compute(); })) busy();
//
// Threads: any.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace twinset::service {

class Pool {
 public:
  Pool(unsigned threads, std::size_t most_waiting);
  /// Does what waits.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// False: as many tasks wait as may. A task throws nothing.
  bool offer(std::function<void()> task);
  std::size_t waiting() const;

 private:
  void work();

  const std::size_t most_waiting_;
  mutable std::mutex mutex_;
  std::condition_variable there_is_one_;
  std::deque<std::function<void()>> tasks_;
  bool ends_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace twinset::service

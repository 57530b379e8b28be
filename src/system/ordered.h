// Tasks taken in order, worked on by all threads at once, and put in the same
// order again: how a stage uses every core and still writes the same bytes.
//
//   OrderedSteps<Batch> steps;
//   steps.take = [&](Batch& batch, TaskPlace place) -> Result<bool> {...};  // false: no more
//   steps.work = [&](unsigned worker, Batch& batch) -> Status {...};
//   steps.put = [&](Batch& batch) -> Status {...};
//   Status done = run_in_order(context.threads, steps);
//
// After an error nothing more is taken or put: everything put before the error is a
// complete prefix of the tasks. Tasks are used again.
//
// Threads: take() one at a time, put() one at a time; both may run at once.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "system/threads.h"
#include "system/work_times.h"
#include "twinset/result.h"

namespace twinset {

/// A task's number, from 0, and how many have been put when it is taken.
struct TaskPlace {
  std::uint64_t number = 0;
  std::uint64_t put = 0;
};

template <class Task>
struct OrderedSteps {
  std::function<Result<bool>(Task& task, TaskPlace place)> take;
  std::function<Status(unsigned worker, Task& task)> work;
  std::function<Status(Task& task)> put;
  /// If set, and true for a task, no other task is taken until this one is put.
  std::function<bool(const Task& task)> alone;
  /// If set, and true for a task that is done before its turn, its worker waits with it: what put()
  /// needs is the worker's, or the task is large. Another task is left for whoever puts the one
  /// before it, and its worker takes more, unless as many are left as half the workers and one.
  std::function<bool(const Task& task)> keeps_worker;
};

/// The work of run_in_order().
template <class Task>
class OrderedRun {
 public:
  OrderedRun(const OrderedSteps<Task>& steps, unsigned threads)
      : steps_(steps), most_waiting_(threads / 2 + 1) {}
  ~OrderedRun() { add_ordered(take_seconds_, put_seconds_); }

  /// One worker's part: runs until the tasks end or a worker fails.
  Status work(unsigned worker) {
    Leaving leaving{*this};
    auto task = std::make_unique<Task>();
    for (;;) {
      TWINSET_ASSIGN(const bool more, step(worker, task));
      if (more) continue;
      leaving.failed = false;
      return {};
    }
  }

 private:
  /// Stops the other workers if this one fails, or if something it calls throws.
  struct Leaving {
    OrderedRun& run;
    bool failed = true;
    ~Leaving() {
      if (failed) run.stop();
    }
  };

  Result<bool> step(unsigned worker, std::unique_ptr<Task>& task) {
    std::unique_lock taking(take_mutex_);
    if (ended_ || stopped_) return false;
    // take() must not be called again after it failed.
    ended_ = true;
    const std::uint64_t number = taken_;
    const double began = thread_cpu_seconds();
    TWINSET_ASSIGN(const bool more, steps_.take(*task, {number, put_}));
    take_seconds_ += thread_cpu_seconds() - began;
    if (!more) return false;
    ended_ = false;
    ++taken_;
    const bool alone = steps_.alone != nullptr && steps_.alone(*task);
    if (!alone) taking.unlock();
    const double work_began = alone ? thread_cpu_seconds() : 0;
    TWINSET_TRY(steps_.work(worker, *task));
    if (alone) take_seconds_ += thread_cpu_seconds() - work_began;
    return put(task, number, alone);
  }

  /// In its turn, or leaves the task for whoever puts the one before it.
  Result<bool> put(std::unique_ptr<Task>& task, std::uint64_t number, bool alone) {
    std::unique_lock lock(put_mutex_);
    if (!stopped_ && put_ != number && !alone && waiting_.size() < most_waiting_ &&
        (steps_.keeps_worker == nullptr || !steps_.keeps_worker(*task))) {
      waiting_.emplace(number, std::exchange(task, take_spare()));
      return true;
    }
    turn_.wait(lock, [&] { return stopped_ || put_ == number; });
    if (stopped_) return false;
    TWINSET_TRY(put_one(*task, lock));
    while (!waiting_.empty() && waiting_.begin()->first == put_ && !stopped_) {
      std::unique_ptr<Task> next = std::move(waiting_.extract(waiting_.begin()).mapped());
      TWINSET_TRY(put_one(*next, lock));
      spare_.push_back(std::move(next));
    }
    turn_.notify_all();
    return true;
  }

  /// Without the lock meanwhile. Only the task of number put_ is put, and that stays so until it is
  /// done; if put() fails, no other gets its turn.
  Status put_one(Task& task, std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    const double began = thread_cpu_seconds();
    const Status done = steps_.put(task);
    const double seconds = thread_cpu_seconds() - began;
    lock.lock();
    put_seconds_ += seconds;
    if (done.ok()) ++put_;
    return done;
  }

  std::unique_ptr<Task> take_spare() {
    if (spare_.empty()) return std::make_unique<Task>();
    std::unique_ptr<Task> task = std::move(spare_.back());
    spare_.pop_back();
    return task;
  }

  /// Must not take the lock of take(): a worker whose task is alone may hold it.
  void stop() {
    const std::lock_guard lock(put_mutex_);
    stopped_ = true;
    turn_.notify_all();
  }

  const OrderedSteps<Task>& steps_;
  const std::size_t most_waiting_;
  std::mutex take_mutex_;
  double take_seconds_ = 0;  ///< CPU time, of tasks that are alone their work's too
  bool ended_ = false;
  std::uint64_t taken_ = 0;
  std::mutex put_mutex_;
  double put_seconds_ = 0;
  std::condition_variable turn_;
  std::map<std::uint64_t, std::unique_ptr<Task>> waiting_;  ///< by number
  std::vector<std::unique_ptr<Task>> spare_;                ///< that waited
  std::atomic<bool> stopped_ = false;
  std::atomic<std::uint64_t> put_ = 0;
};

/// Returns the first error by worker number, as run_workers() does.
template <class Task>
Status run_in_order(unsigned threads, const OrderedSteps<Task>& steps) {
  OrderedRun<Task> run(steps, threads);
  return run_workers(threads, [&](unsigned worker) { return run.work(worker); });
}

}  // namespace twinset

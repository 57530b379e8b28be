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
// complete prefix of the tasks. Each worker reuses one Task.
//
// Threads: take() one at a time, put() one at a time; both may run at once.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

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
};

/// The work of run_in_order().
template <class Task>
class OrderedRun {
 public:
  explicit OrderedRun(const OrderedSteps<Task>& steps) : steps_(steps) {}
  ~OrderedRun() { add_ordered(take_seconds_, put_seconds_); }

  /// One worker's part: runs until the tasks end or a worker fails.
  Status work(unsigned worker) {
    Leaving leaving{*this};
    Task task;
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

  Result<bool> step(unsigned worker, Task& task) {
    std::unique_lock taking(take_mutex_);
    if (ended_ || stopped_) return false;
    // take() must not be called again after it failed.
    ended_ = true;
    const std::uint64_t number = taken_;
    const double began = thread_cpu_seconds();
    TWINSET_ASSIGN(const bool more, steps_.take(task, {number, put_}));
    take_seconds_ += thread_cpu_seconds() - began;
    if (!more) return false;
    ended_ = false;
    ++taken_;
    const bool alone = steps_.alone != nullptr && steps_.alone(task);
    if (!alone) taking.unlock();
    const double work_began = alone ? thread_cpu_seconds() : 0;
    TWINSET_TRY(steps_.work(worker, task));
    if (alone) take_seconds_ += thread_cpu_seconds() - work_began;
    return put(task, number);
  }

  Result<bool> put(Task& task, std::uint64_t number) {
    std::unique_lock lock(put_mutex_);
    turn_.wait(lock, [&] { return stopped_ || put_ == number; });
    if (stopped_) return false;
    // If put() fails, this task stays the last one: no other gets its turn.
    const double began = thread_cpu_seconds();
    TWINSET_TRY(steps_.put(task));
    put_seconds_ += thread_cpu_seconds() - began;
    ++put_;
    turn_.notify_all();
    return true;
  }

  /// Must not take the lock of take(): a worker whose task is alone may hold it.
  void stop() {
    const std::lock_guard lock(put_mutex_);
    stopped_ = true;
    turn_.notify_all();
  }

  const OrderedSteps<Task>& steps_;
  std::mutex take_mutex_;
  double take_seconds_ = 0;  ///< CPU time, of tasks that are alone their work's too
  bool ended_ = false;
  std::uint64_t taken_ = 0;
  std::mutex put_mutex_;
  double put_seconds_ = 0;
  std::condition_variable turn_;
  std::atomic<bool> stopped_ = false;
  std::atomic<std::uint64_t> put_ = 0;
};

/// Returns the first error by worker number, as run_workers() does.
template <class Task>
Status run_in_order(unsigned threads, const OrderedSteps<Task>& steps) {
  OrderedRun<Task> run(steps);
  return run_workers(threads, [&](unsigned worker) { return run.work(worker); });
}

}  // namespace twinset

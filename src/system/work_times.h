// How much of the process's CPU time threads shared: what tells how it would run on more of them.
//
//   const WorkTimes before = work_times();
//   ...;
//   const WorkTimes used = work_times() - before;
//
// Counted by run_workers() and run_in_order(), whatever the number of threads. Workers within
// workers count once.
//
// Threads: from any.
#pragma once

namespace twinset {

/// Seconds of CPU time.
struct WorkTimes {
  double shared = 0;   ///< of all workers
  double ordered = 0;  ///< of these, of the longer one of taking tasks and of putting them
  WorkTimes operator-(const WorkTimes& other) const {
    return {shared - other.shared, ordered - other.ordered};
  }
};

/// Those of the process since it began.
WorkTimes work_times();

/// CPU time of this thread since it began, in seconds.
double thread_cpu_seconds();

/// Adds what a worker did while it lives, unless it is a part of another's work.
class WorkerTime {
 public:
  WorkerTime();
  ~WorkerTime();
  WorkerTime(const WorkerTime&) = delete;
  WorkerTime& operator=(const WorkerTime&) = delete;

 private:
  double began_;
};

/// Adds what was taken and put in order, if it was not a part of a worker's work.
void add_ordered(double take_seconds, double put_seconds);

}  // namespace twinset

#include "system/work_times.h"

#include <algorithm>
#include <atomic>
#include <ctime>

namespace twinset {
namespace {

std::atomic<double> shared = 0;
std::atomic<double> ordered = 0;
thread_local unsigned workers_within = 0;

}  // namespace

WorkTimes work_times() { return {shared, ordered}; }

double thread_cpu_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

WorkerTime::WorkerTime() : began_(workers_within++ == 0 ? thread_cpu_seconds() : 0) {}

WorkerTime::~WorkerTime() {
  if (--workers_within == 0) shared += thread_cpu_seconds() - began_;
}

void add_ordered(double take_seconds, double put_seconds) {
  if (workers_within == 0) ordered += std::max(take_seconds, put_seconds);
}

}  // namespace twinset

// The clock of benchmarks that measure themselves, with UseManualTime().
//
// Threads: any; each has its own time.
#pragma once

#include <ctime>

namespace twinset {

/// CPU time of this thread, which other programs do not lengthen.
inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace twinset

// The wall-clock and the processor time of each stage of a run.
//
//   StageClock clock;
//   ...; clock.end("read");
//   ...; clock.end("fold");
//
// Threads: belongs to one. Processor time is that of the whole process.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "system/process_memory.h"
#include "system/work_times.h"
#include "twinset/run.h"

namespace twinset {

/// Seconds since 1970 as "2026-01-31T23:59:59Z".
std::string utc_text(std::int64_t seconds);
std::string utc_now();

/// Of the processors' time, the share that `threads` threads would have used to work, from 0 to 1:
/// in each stage one waits for what is done alone and for what is done in order, all share the
/// rest.
double expected_efficiency(const std::vector<StageTime>& stages, unsigned threads);

class StageClock {
 public:
  StageClock();
  /// Ends the stage that began at the last end().
  void end(std::string stage);
  const std::vector<StageTime>& stages() const { return stages_; }
  /// Sets the date, the times of the run and of its stages, and the peak memory.
  void describe(RunFacts& facts) const;
  /// Since the beginning.
  double seconds() const;
  double cpu_seconds() const;

 private:
  std::string date_;  ///< of the beginning
  std::chrono::steady_clock::time_point started_;
  double cpu_started_;
  double ended_ = 0;
  double cpu_ended_ = 0;
  WorkTimes worked_;  ///< of the process, at the last end()
  std::vector<StageTime> stages_;
};

}  // namespace twinset

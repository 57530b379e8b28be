// How long each stage of a run took, by the clock and of the processors.
//
//   StageClock clock;
//   ...; clock.end("read");
//   ...; clock.end("fold");
//
// Threads: belongs to one; processor time is that of the whole process.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "twinset/run.h"

namespace twinset {

/// Peak resident size of the process so far.
std::uint64_t peak_memory_bytes();

class StageClock {
 public:
  StageClock();
  /// Ends the stage that began when the last one ended.
  void end(std::string stage);
  const std::vector<StageTime>& stages() const { return stages_; }
  /// Sets when the run began, what it and its stages took, and its peak memory.
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
  std::vector<StageTime> stages_;
};

}  // namespace twinset

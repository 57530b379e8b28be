// A sink of progress that cancels its run.
//
//   StopAt stop(3);
//   dedup(options, {&stop.cancel, &stop});   // is interrupted at its third report
//
// Threads: as a ProgressSink.
#pragma once

#include <atomic>

#include "twinset/run.h"

namespace twinset::testing {

/// Stops a run at its n-th report.
class StopAt final : public ProgressSink {
 public:
  explicit StopAt(int reports) : left_(reports) {}
  void report(const Progress&) override {
    if (--left_ == 0) cancel = true;
  }
  std::atomic<bool> cancel = false;

 private:
  int left_;
};

}  // namespace twinset::testing

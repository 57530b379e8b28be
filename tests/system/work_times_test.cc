#include "system/work_times.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "system/ordered.h"
#include "system/threads.h"

namespace twinset {
namespace {

/// Uses this much CPU time of the thread.
void burn(double seconds) {
  const double began = thread_cpu_seconds();
  while (thread_cpu_seconds() - began < seconds) continue;
}

/// No check below has an upper bound that a busy machine could pass: CPU time does not run while a
/// thread waits.
TEST(WorkTimes, SharedIsWhatWorkersDidWhateverTheirNumber) {
  for (const unsigned threads : {1U, 2U, 3U}) {
    const WorkTimes before = work_times();
    const double began = thread_cpu_seconds();
    burn(0.01);
    ASSERT_TRUE(run_workers(threads, [](unsigned) -> Status {
                  burn(0.02);
                  return {};
                }).ok());
    const double own = thread_cpu_seconds() - began;
    const WorkTimes used = work_times() - before;
    EXPECT_GE(used.shared, 0.02 * threads - 1e-6);
    if (threads == 1) {
      EXPECT_LE(used.shared, own - 0.01);
    }
    EXPECT_EQ(used.ordered, 0);
  }
}

TEST(WorkTimes, WorkersWithinAWorkerCountOnce) {
  const WorkTimes before = work_times();
  const double began = thread_cpu_seconds();
  ASSERT_TRUE(run_workers(1, [](unsigned) {
                return run_workers(1, [](unsigned) -> Status {
                  burn(0.02);
                  return {};
                });
              }).ok());
  EXPECT_GE((work_times() - before).shared, 0.02);
  EXPECT_LE((work_times() - before).shared, thread_cpu_seconds() - began);
}

struct Timed {
  double take;
  double put;
  bool alone;
  double ordered_at_least;
};

TEST(WorkTimes, OrderedIsTheLongerOfTakingAndPutting) {
  for (const Timed& timed :
       {Timed{0.002, 0, false, 0.02}, Timed{0.001, 0.002, false, 0.02}, Timed{0, 0, true, 0.03}}) {
    const WorkTimes before = work_times();
    OrderedSteps<int> steps;
    steps.take = [&](int&, TaskPlace place) -> Result<bool> {
      if (place.number == 10) return false;
      burn(timed.take);
      return true;
    };
    steps.work = [](unsigned, int&) -> Status {
      burn(0.003);
      return {};
    };
    steps.put = [&](int&) -> Status {
      burn(timed.put);
      return {};
    };
    if (timed.alone) steps.alone = [](const int&) { return true; };
    ASSERT_TRUE(run_in_order(2, steps).ok());
    const WorkTimes used = work_times() - before;
    EXPECT_GE(used.ordered, timed.ordered_at_least - 1e-6);
    EXPECT_GE(used.shared, 0.03 + 10 * (timed.take + timed.put) - 1e-6);
    EXPECT_LT(used.ordered, used.shared);
  }
}

}  // namespace
}  // namespace twinset

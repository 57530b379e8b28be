#include "run/stage_clock.h"

#include <gtest/gtest.h>

#include <ctime>
#include <vector>

#include "system/threads.h"
#include "system/work_times.h"
#include "text/dates.h"

namespace twinset {
namespace {

TEST(StageClock, StagesFollowOneAnotherAndAddUp) {
  StageClock clock;
  clock.end("first");
  clock.end("second");
  ASSERT_EQ(clock.stages().size(), 2U);
  EXPECT_EQ(clock.stages()[0].stage, "first");
  EXPECT_EQ(clock.stages()[1].stage, "second");
  double sum = 0;
  for (const StageTime& time : clock.stages()) {
    EXPECT_GE(time.seconds, 0);
    EXPECT_GE(time.cpu_seconds, 0);
    sum += time.seconds;
  }
  EXPECT_LE(sum, clock.seconds());
}

TEST(StageClock, WhatOneThreadDoesAloneIsTold) {
  StageClock clock;
  ASSERT_TRUE(run_workers(2, [](unsigned) -> Status {
                const double began = thread_cpu_seconds();
                while (thread_cpu_seconds() - began < 0.02) continue;
                return {};
              }).ok());
  clock.end("shared");
  const double began = thread_cpu_seconds();
  while (thread_cpu_seconds() - began < 0.02) continue;
  clock.end("alone");
  const StageTime& shared = clock.stages()[0];
  const StageTime& alone = clock.stages()[1];
  // The kernel may count the process's time by ticks of up to 10 ms.
  EXPECT_LT(shared.alone_seconds.value(), 0.02);
  EXPECT_EQ(alone.alone_seconds.value(), alone.cpu_seconds);
  EXPECT_EQ(alone.ordered_seconds.value(), 0);
}

TEST(StageClock, EfficiencyIsBoundByWhatCannotBeShared) {
  // Of 10 s, 1 s alone; of the other 9 s, 2 s in order.
  const std::vector<StageTime> stages{{"one", 0, 6, 1, 2}, {"two", 0, 4, 0, 0}};
  EXPECT_DOUBLE_EQ(expected_efficiency(stages, 1), 1);
  EXPECT_DOUBLE_EQ(expected_efficiency(stages, 2), 10 / (2 * (1 + 2.5 + 2)));
  EXPECT_DOUBLE_EQ(expected_efficiency(stages, 4), 10 / (4 * (1 + 2.0 + 1)));
  EXPECT_EQ(expected_efficiency({}, 8), 1);
}

TEST(StageClock, DatesAreUtc) {
  const std::string now = utc_now();
  ASSERT_EQ(now.size(), 20U);
  EXPECT_EQ(now.back(), 'Z');
  const std::optional<Date> read = parse_date(now);
  ASSERT_TRUE(read.has_value()) << now;
  EXPECT_NEAR(static_cast<double>(read->microseconds) / 1e6,
              static_cast<double>(std::time(nullptr)), 60);
}

}  // namespace
}  // namespace twinset

#include "run/stage_clock.h"

#include <gtest/gtest.h>

#include <ctime>

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

#include "rate_limit.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace twinset::service {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(RateLimit, ASecondsWorthPassesAtOnce) {
  RateLimit limit(3);
  RateLimit::Clock::time_point now{};
  for (int i = 0; i < 3; ++i) EXPECT_EQ(limit.take("a", now), 0U);
  EXPECT_EQ(limit.take("a", now), 1U);
  EXPECT_EQ(limit.take("b", now), 0U) << "another client";
  now += milliseconds(400);
  EXPECT_EQ(limit.take("a", now), 0U);
  EXPECT_EQ(limit.take("a", now), 1U);
  now += seconds(100);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(limit.take("a", now), 0U);
  EXPECT_NE(limit.take("a", now), 0U) << "more than a second's worth was saved";
}

TEST(RateLimit, ManyClientsTakeBoundedMemory) {
  RateLimit limit(2);
  RateLimit::Clock::time_point now{};
  for (std::size_t i = 0; i < 2 * RateLimit::most_clients; ++i) {
    EXPECT_EQ(limit.take("client " + std::to_string(i), now), 0U);
    EXPECT_LE(limit.clients(), RateLimit::most_clients);
    now += milliseconds(1);
  }
}

}  // namespace
}  // namespace twinset::service

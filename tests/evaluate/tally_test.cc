#include "evaluate/tally.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

// Values of Wilson's formula as tabulated by R's prop.test(correct=FALSE).
TEST(Tally, WilsonIntervals) {
  const Interval most = Tally{97, 100}.interval();
  EXPECT_NEAR(most.low, 0.915480, 1e-6);
  EXPECT_NEAR(most.high, 0.989746, 1e-6);
  const Interval half = Tally{5, 10}.interval();
  EXPECT_NEAR(half.low, 0.236593, 1e-6);
  EXPECT_NEAR(half.high, 0.763407, 1e-6);
}

TEST(Tally, EndsAreExact) {
  const Interval none = Tally{0, 10}.interval();
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.277533, 1e-6);
  const Interval all = Tally{10, 10}.interval();
  EXPECT_NEAR(all.low, 0.722467, 1e-6);
  EXPECT_EQ(all.high, 1);
  const Interval unknown = Tally{}.interval();
  EXPECT_EQ(unknown.low, 0);
  EXPECT_EQ(unknown.high, 1);
  EXPECT_FALSE(Tally{}.known());
}

TEST(Tally, AddsUp) {
  Tally share;
  share.add(true);
  share.add(false);
  share.add(Tally{3, 4});
  EXPECT_EQ(share, (Tally{4, 6}));
  EXPECT_DOUBLE_EQ(share.value(), 4.0 / 6);
}

}  // namespace
}  // namespace twinset

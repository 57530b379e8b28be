#include "evaluate/share.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

// Values of Wilson's formula as tabulated by R's prop.test(correct=FALSE).
TEST(Share, WilsonIntervals) {
  const Interval most = Share{97, 100}.interval();
  EXPECT_NEAR(most.low, 0.915480, 1e-6);
  EXPECT_NEAR(most.high, 0.989746, 1e-6);
  const Interval half = Share{5, 10}.interval();
  EXPECT_NEAR(half.low, 0.236593, 1e-6);
  EXPECT_NEAR(half.high, 0.763407, 1e-6);
}

TEST(Share, EndsAreExact) {
  const Interval none = Share{0, 10}.interval();
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.277533, 1e-6);
  const Interval all = Share{10, 10}.interval();
  EXPECT_NEAR(all.low, 0.722467, 1e-6);
  EXPECT_EQ(all.high, 1);
  const Interval unknown = Share{}.interval();
  EXPECT_EQ(unknown.low, 0);
  EXPECT_EQ(unknown.high, 1);
  EXPECT_FALSE(Share{}.known());
}

TEST(Share, AddsUp) {
  Share share;
  share.add(true);
  share.add(false);
  share.add(Share{3, 4});
  EXPECT_EQ(share, (Share{4, 6}));
  EXPECT_DOUBLE_EQ(share.value(), 4.0 / 6);
}

}  // namespace
}  // namespace twinset

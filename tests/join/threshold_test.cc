#include "join/threshold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace twinset {
namespace {

std::vector<Threshold> some_thresholds() {
  return {{Ratio(4, 5), {}},           {Ratio(1, 1), {}},
          {Ratio(1, 1'000'000), {}},   {Ratio(1, 2), Ratio(9, 10)},
          {Ratio(9, 10), Ratio(1, 2)}, {Ratio(333'333, 1'000'000), Ratio(1, 1)}};
}

TEST(Threshold, NeededSharedIsTheLeastThatIsAnEdge) {
  for (const Threshold& threshold : some_thresholds()) {
    for (std::uint32_t later = 1; later < 40; ++later) {
      for (std::uint32_t earlier = 1; earlier < 40; ++earlier) {
        std::uint32_t least = 0;
        const auto is_edge = [&](std::uint32_t shared) {
          const Overlap overlap{shared, later, earlier};
          return threshold.reached_by(overlap);
        };
        while (least <= std::min(later, earlier) && !is_edge(least)) ++least;
        const std::uint32_t needed = threshold.needed_shared(later, earlier);
        if (least <= std::min(later, earlier)) {
          ASSERT_EQ(needed, least) << later << " " << earlier;
        } else {
          ASSERT_GT(needed, std::min(later, earlier)) << later << " " << earlier;
        }
      }
    }
  }
}

TEST(Threshold, LargeSetsDoNotOverflow) {
  const Threshold threshold{Ratio(999'999, 1'000'000), {}};
  const std::uint32_t largest = 0xffffffff;
  const std::uint32_t needed = threshold.needed_shared(largest, largest);
  EXPECT_TRUE(threshold.resembles({needed, largest, largest}));
  EXPECT_FALSE(threshold.resembles({needed - 1, largest, largest}));
}

TEST(Threshold, ALinkOfSketchesIsHeldAgainstItsKind) {
  Threshold threshold{Ratio(1, 3), {}};
  EXPECT_TRUE(threshold.reached_by(Link::estimated(1.0 / 3, 0.01)));
  EXPECT_FALSE(threshold.reached_by(Link::estimated(0.33, 0.01)));
  EXPECT_TRUE(threshold.reached_by(Link::same_signature(4)));
  EXPECT_FALSE(threshold.reached_by(Link::candidate()));
  EXPECT_FALSE(threshold.reached_by(Link::far(0, 64))) << "no distance is asked for";
  threshold.distance = DistanceLimit::parse("20:0,2").value();
  EXPECT_TRUE(threshold.reached_by(Link::far(2, 64), 20));
  EXPECT_FALSE(threshold.reached_by(Link::far(2, 64), 19));
}

TEST(PairFloor, ADistanceIsHeldAgainstADistanceAndSignaturesAreEqual) {
  PairFloor floor{{1, 2}, {}};
  EXPECT_FALSE(floor.reached_by({3, 64, 64}));
  floor.kind = LinkKind::distance;
  floor.distance = 3;
  EXPECT_TRUE(floor.reached_by({3, 64, 64}));
  EXPECT_FALSE(floor.reached_by({4, 64, 64}));
  EXPECT_TRUE(floor.equal({0, 64, 64}));
  EXPECT_FALSE(floor.equal({1, 64, 64}));
  floor.kind = LinkKind::signature;
  EXPECT_TRUE(floor.reached_by({9, 1, 1}));
  EXPECT_FALSE(floor.equal({0, 1, 1}));
}

// With four standard errors granted fewer keys reach the floor, and least_shared() is not more than
// any pair with a sample of that size needs.
TEST(PairFloor, AFloorMayGrantStandardErrors) {
  const PairFloor strict{{1, 2}, Ratio(4, 5)};
  PairFloor granting = strict;
  granting.granted_errors = 4;
  EXPECT_FALSE(strict.reached_by({40, 70, 70}));     // 40 of 100
  EXPECT_TRUE(granting.reached_by({40, 70, 70}));    // 0.1 below: two errors of 0.05
  EXPECT_FALSE(granting.reached_by({29, 64, 65}));   // 29 of 100
  EXPECT_TRUE(granting.reached_by({40, 60, 1000}));  // 0.67 of one: 2.6 errors of 0.052
  EXPECT_FALSE(granting.reached_by({33, 60, 1000}));
  EXPECT_EQ(strict.least_shared(100), 50U);
  EXPECT_EQ(granting.least_shared(100), 30U);
  EXPECT_EQ(granting.least_shared(1), 1U);
  const PairFloor floors[] = {{{1, 2}, {}, 4}, {{3, 10}, {}, 4}, {{1, 1}, {}, 4}, {{0, 1}, {}, 4}};
  for (const PairFloor& floor : floors) {
    for (std::uint32_t keys = 1; keys < 300; ++keys) {
      for (std::uint32_t either = keys; either < keys + 60; ++either) {
        for (std::uint32_t shared = 1; shared < floor.least_shared(keys); ++shared) {
          ASSERT_FALSE(floor.reached_by({shared, keys, either - keys + shared}))
              << shared << " of " << either;
        }
      }
    }
  }
}

}  // namespace
}  // namespace twinset

#include "faces/histograms.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace twinset {
namespace {

Histogram histogram_of(const ResemblanceBins& first, const ResemblanceBins& second) {
  return resemblance_histogram("Pairs", "pairs", first, "near", second, "contained");
}

TEST(Histograms, BarsHoldEveryPairOnce) {
  for (const unsigned lowest : {0U, 7U, 50U, 80U, 99U, 100U}) {
    ResemblanceBins near, contained;
    std::uint64_t all_near = 0, all_contained = 0;
    for (unsigned i = lowest; i <= 100; ++i) {
      near.bins[i] = i + 1;
      contained.bins[i] = 2 * i;
      all_near += near.bins[i];
      all_contained += contained.bins[i];
    }
    const Histogram chart = histogram_of(near, contained);
    ASSERT_LE(chart.bars.size(), 26U);
    std::uint64_t first = 0, second = 0;
    for (const Bar& bar : chart.bars) {
      ASSERT_EQ(bar.counts.size(), 2U);
      first += bar.counts[0];
      second += bar.counts[1];
    }
    EXPECT_EQ(first, all_near);
    EXPECT_EQ(second, all_contained);
    EXPECT_EQ(chart.bars.back().counts[0], near.bins[100]);
    EXPECT_EQ(chart.bars.back().range, "exactly 1");
  }
}

TEST(Histograms, TheThresholdStartsABar) {
  ResemblanceBins near;
  near.add(0.8);
  const Histogram chart = histogram_of(near, {});
  EXPECT_EQ(chart.bars.front().label, "0.80");
  EXPECT_EQ(chart.bars.size(), 21U);
  EXPECT_EQ(chart.series, (std::vector<std::string>{"near"}));
  near.add(0.5);
  EXPECT_EQ(histogram_of(near, {}).bars.front().label, "0.50");
  EXPECT_TRUE(histogram_of({}, {}).bars.empty());
}

TEST(Histograms, SizesAreNamedByTheirBounds) {
  const Histogram chart = size_histogram({0, 3, 1, 0, 2});
  ASSERT_EQ(chart.bars.size(), 4U);
  EXPECT_EQ(chart.bars[0].range, "2 to 3");
  EXPECT_EQ(chart.bars[0].counts, (std::vector<std::uint64_t>{3}));
  EXPECT_EQ(chart.bars[3].range, "16 to 31");
  EXPECT_EQ(chart.bars[3].label, "16+");
  EXPECT_EQ(size_histogram(std::vector<std::uint64_t>(64, 1)).bars.back().range,
            "9,223,372,036,854,775,808 to 18,446,744,073,709,551,615");
}

}  // namespace
}  // namespace twinset

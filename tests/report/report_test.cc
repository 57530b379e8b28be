#include "report/report.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(Report, SizesFallIntoPowersOfTwo) {
  SizeHistogram histogram;
  for (const std::uint64_t size : {0, 1, 2, 3, 4, 5, 8, 9}) histogram.add(size);
  EXPECT_EQ(histogram.bins[0], 1u);  // 2
  EXPECT_EQ(histogram.bins[1], 2u);  // 3, 4
  EXPECT_EQ(histogram.bins[2], 2u);  // 5, 8
  EXPECT_EQ(histogram.bins[3], 1u);  // 9
  histogram.add(~std::uint64_t{0});
  EXPECT_EQ(histogram.bins[63], 1u);
}

TEST(Report, ResemblancesFallIntoTheirHundredth) {
  for (unsigned i = 0; i < 100; ++i) {
    ResemblanceHistogram histogram;
    histogram.add(static_cast<double>(i) / 100);
    histogram.add((static_cast<double>(i) + 0.999) / 100);
    EXPECT_EQ(histogram.bins[i], 2u) << i;
  }
  ResemblanceHistogram histogram;
  histogram.add(1);
  histogram.add(0.9999999);
  histogram.add(-1);
  EXPECT_EQ(histogram.bins[100], 1u);
  EXPECT_EQ(histogram.bins[99], 1u);
  EXPECT_EQ(histogram.bins[0], 1u);
}

TEST(Report, AContainedMembersEvidenceIsItsContainment) {
  EXPECT_EQ((ReportMember{{}, Fate::near, 0.9, 0.95}.evidence()), 0.9);
  EXPECT_EQ((ReportMember{{}, Fate::contained, 0.2, 0.95}.evidence()), 0.95);
}

}  // namespace
}  // namespace twinset

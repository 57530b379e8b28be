#include "report/charts.h"

#include <gtest/gtest.h>

#include <string>

namespace twinset {
namespace {

std::size_t occurrences(const std::string& text, const std::string& piece) {
  std::size_t count = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) {
    ++count;
  }
  return count;
}

TEST(Charts, ClusterSizesAreNamedByTheirBounds) {
  SizeHistogram histogram;
  for (const std::uint64_t size : {2, 2, 3, 4, 100'000}) histogram.add(size);
  const Chart chart = cluster_size_chart(histogram);
  ASSERT_EQ(chart.bars.size(), 17u);
  EXPECT_EQ(chart.bars[0].long_label, "2");
  EXPECT_EQ(chart.bars[0].first, 2u);
  EXPECT_EQ(chart.bars[1].long_label, "3 to 4");
  EXPECT_EQ(chart.bars[1].first, 2u);
  EXPECT_EQ(chart.bars[16].long_label, "65,537 to 131,072");
  EXPECT_EQ(chart.bars[16].first, 1u);
}

TEST(Charts, ResemblanceBarsHoldEveryRecordOnce) {
  for (const unsigned lowest : {0u, 7u, 50u, 80u, 99u, 100u}) {
    ResemblanceHistogram near, contained;
    std::uint64_t all_near = 0, all_contained = 0;
    for (unsigned i = lowest; i <= 100; ++i) {
      near.bins[i] = i + 1;
      contained.bins[i] = 2 * i;
      all_near += near.bins[i];
      all_contained += contained.bins[i];
    }
    const Chart chart = resemblance_chart(near, contained);
    ASSERT_LE(chart.bars.size(), 26u);
    std::uint64_t first = 0, second = 0;
    for (const ChartBar& bar : chart.bars) {
      first += bar.first;
      second += bar.second;
    }
    EXPECT_EQ(first, all_near);
    EXPECT_EQ(second, all_contained);
    EXPECT_EQ(chart.bars.back().first, near.bins[100]);
    EXPECT_EQ(chart.bars.back().long_label, "exactly 1");
  }
}

TEST(Charts, TheThresholdStartsABar) {
  ResemblanceHistogram near;
  near.add(0.8);
  const Chart chart = resemblance_chart(near, {});
  EXPECT_EQ(chart.bars.front().label, "0.80");
  EXPECT_EQ(chart.bars.size(), 21u);
  EXPECT_TRUE(chart.second_name.empty());
  near.add(0.5);
  EXPECT_EQ(resemblance_chart(near, {}).bars.front().label, "0.50");
}

TEST(Charts, EveryBarIsDrawnInsideAndWrittenInTheTable) {
  SizeHistogram histogram;
  histogram.bins.fill(1);
  histogram.bins[0] = 1'000'000'000'000;
  const Chart chart = cluster_size_chart(histogram);
  std::string out;
  append_chart(out, chart);
  EXPECT_EQ(occurrences(out, "class=\"bar\""), 64u);
  EXPECT_EQ(occurrences(out, "<tr>"), 65u);
  EXPECT_NE(out.find("1,000,000,000,000"), std::string::npos);
  EXPECT_EQ(out.find("nan"), std::string::npos);
  for (std::size_t at = out.find("height=\""); at != std::string::npos;
       at = out.find("height=\"", at + 1)) {
    const double height = std::stod(out.substr(at + 8));
    EXPECT_GT(height, 0);
    EXPECT_LE(height, 200);
  }
}

TEST(Charts, NothingCountedIsSaidInWords) {
  std::string out;
  append_chart(out, resemblance_chart({}, {}));
  append_chart(out, cluster_size_chart({}));
  EXPECT_EQ(occurrences(out, "Nothing to show."), 2u);
  EXPECT_EQ(out.find("<svg"), std::string::npos);
}

TEST(Charts, LabelsAreEscaped) {
  std::string out;
  append_chart(out, {.title = "<t>",
                     .across = "\"a\"",
                     .up = "<u>",
                     .first_name = "<f>",
                     .second_name = "<s>",
                     .bars = {{"<l>", "<ll>", 1, 2}},
                     .logarithmic = true});
  for (const char* raw : {"<t>", "<u>", "<f>", "<s>", "<l>", "<ll>", "\"a\""}) {
    EXPECT_EQ(out.find(raw), std::string::npos) << raw;
  }
}

}  // namespace
}  // namespace twinset

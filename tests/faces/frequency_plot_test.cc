#include <gtest/gtest.h>

#include <algorithm>

#include "faces/reports.h"

namespace twinset {
namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(FrequencyPlot, EachFrequencyIsADotAndTheThresholdALine) {
  DiscoverSummary summary;
  summary.files.frequencies = {{1, 900, 0}, {20, 4, 4}};
  summary.chunks.frequencies = {{1, 5000, 0}, {30, 10, 0}, {5000, 4000, 4000}};
  DiscoverOptions options;
  options.over_files = 10;
  options.over_chunks = 1000;
  const std::string plot = frequency_plot({options, summary});
  // Two more are the key.
  EXPECT_EQ(count_of(plot, "<circle"), 5U + 2);
  EXPECT_EQ(count_of(plot, "r=\"2.4\" fill=\"#d1823a\""), 2U);
  EXPECT_EQ(count_of(plot, "stroke-dasharray"), 2U + 1);
  EXPECT_EQ(plot.find("<svg"), 0U);
  EXPECT_TRUE(plot.ends_with("</svg>\n"));
  EXPECT_EQ(plot.find("nan"), plot.npos);
  // The first one lies at the left, and the threshold of 10 in the middle of two decades.
  EXPECT_NE(plot.find("<circle cx=\"60.0\""), plot.npos);
  EXPECT_NE(
      plot.find("<line x1=\"205.0\" x2=\"205.0\" y1=\"34.0\" y2=\"274.0\" stroke=\"#b8504a\""),
      plot.npos);
}

TEST(FrequencyPlot, ItsSizeDoesNotGrowWithTheCollection) {
  DiscoverSummary summary;
  for (std::uint64_t i = 1; i < 200'000; ++i) summary.chunks.frequencies.push_back({i, i % 97, 0});
  EXPECT_LT(frequency_plot({DiscoverOptions(), summary}).size(), std::size_t{8} << 20);
  EXPECT_LT(frequency_plot({DiscoverOptions(), DiscoverSummary()}).size(), std::size_t{1} << 13);
}

}  // namespace
}  // namespace twinset

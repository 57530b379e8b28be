#include "faces/charts.h"

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

/// Bars of one series, labeled by their numbers.
Histogram bars_of(std::size_t bars) {
  Histogram chart{"Sizes", "documents", "clusters", {"clusters"}, {}, true};
  for (std::size_t i = 0; i < bars; ++i) {
    const std::string label = "L" + std::to_string(i);
    chart.bars.push_back({label, label, {1}});
  }
  return chart;
}

std::string drawn(const Histogram& chart) {
  std::string out;
  append_chart(out, chart);
  return out;
}

TEST(Charts, EveryBarIsDrawnInsideAndWrittenInTheTable) {
  Histogram chart = bars_of(64);
  chart.bars[0].counts[0] = 1'000'000'000'000;
  const std::string out = drawn(chart);
  EXPECT_EQ(occurrences(out, "class=\"s1\""), 64U);
  EXPECT_EQ(occurrences(out, "<tr>"), 65U);
  EXPECT_NE(out.find("1,000,000,000,000"), std::string::npos);
  EXPECT_EQ(out.find("nan"), std::string::npos);
  for (std::size_t at = out.find("height=\""); at != std::string::npos;
       at = out.find("height=\"", at + 1)) {
    const double height = std::stod(out.substr(at + 8));
    EXPECT_GT(height, 0);
    EXPECT_LE(height, 200);
  }
}

TEST(Charts, SeriesStandOnOneAnother) {
  const std::string out = drawn({"Pairs",
                                 "resemblance",
                                 "pairs",
                                 {"near", "contained"},
                                 {{"0.80", "0.80 to below 1", {6, 2}}, {"1", "exactly 1", {0, 4}}},
                                 false});
  EXPECT_EQ(occurrences(out, "<rect class=\"s1\""), 1U);
  EXPECT_EQ(occurrences(out, "<rect class=\"s2\""), 2U);
  EXPECT_NE(out.find("0.80 to below 1: 8 pairs (6 near, 2 contained)"), std::string::npos) << out;
  EXPECT_EQ(occurrences(out, "<span class=\"swatch s2\"></span>contained"), 1U);
}

TEST(Charts, LabelsAreEvenlySpacedAndTheLastBarHasOne) {
  for (const std::size_t bars : {1U, 7U, 11U, 21U, 26U, 64U}) {
    const std::string out = drawn(bars_of(bars));
    std::size_t labels = 0, step = 0, last = 0;
    for (std::size_t i = 0; i < bars; ++i) {
      if (out.find(">L" + std::to_string(i) + "</text>") == std::string::npos) continue;
      if (labels == 1) step = i;
      if (labels > 1 && i + 1 < bars) {
        EXPECT_EQ(i - last, step) << bars;
      }
      last = i;
      ++labels;
    }
    EXPECT_EQ(last, bars - 1);
    EXPECT_LE(labels, 13U);
  }
}

TEST(Charts, LabelsDoNotOverlap) {
  for (std::size_t bars = 1; bars < 64; ++bars) {
    for (const std::size_t letters : {2U, 5U, 8U}) {
      Histogram chart = bars_of(bars);
      for (Bar& bar : chart.bars) bar.label = std::string(letters, '8');
      const std::string out = drawn(chart);
      const std::string tick = "<text class=\"tick\" x=\"";
      double last = -1000;
      for (std::size_t at = out.find(tick); at != std::string::npos; at = out.find(tick, at + 1)) {
        const double place = std::stod(out.substr(at + tick.size()));
        // A digit is a little less than 6 units wide.
        EXPECT_GT(place - last, 6 * static_cast<double>(letters)) << bars << " bars, " << letters;
        last = place;
      }
      EXPECT_GT(last, 0);
    }
  }
}

TEST(Charts, NothingCountedIsSaidInWords) {
  for (const Histogram& chart : {Histogram{}, bars_of(0)}) {
    const std::string out = drawn(chart);
    EXPECT_EQ(occurrences(out, "Nothing to show."), 1U);
    EXPECT_EQ(out.find("<svg"), std::string::npos);
  }
}

TEST(Charts, LabelsAreEscaped) {
  const std::string out =
      drawn({"<t>", "\"a\"", "<u>", {"<f>", "<s>"}, {{"<l>", "<ll>", {1, 2}}}, true});
  for (const char* raw : {"<t>", "<u>", "<f>", "<s>", "<l>", "<ll>", "\"a\""}) {
    EXPECT_EQ(out.find(raw), std::string::npos) << raw;
  }
}

}  // namespace
}  // namespace twinset

#include "words/numbers.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

namespace twinset {
namespace {

TEST(Numbers, CountsHaveSeparators) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1,000");
  EXPECT_EQ(format_count(1234567), "1,234,567");
  EXPECT_EQ(format_count(~std::uint64_t{0}), "18,446,744,073,709,551,615");
  EXPECT_EQ(format_count(1, "word", "words"), "1 word");
  EXPECT_EQ(format_count(2000, "word", "words"), "2,000 words");
}

TEST(Numbers, SharesAreCutNotRounded) {
  EXPECT_EQ(format_share(1), "1.000");
  EXPECT_EQ(format_share(0), "0.000");
  EXPECT_EQ(format_share(0.5), "0.500");
  EXPECT_EQ(format_share(0.29), "0.290");  // a little below 0.29 in binary
  EXPECT_EQ(format_share(0.8567), "0.856");
  EXPECT_EQ(format_share(0.79996, 0.8), "0.799");
  EXPECT_EQ(format_share(0.9996), "0.9996");
  EXPECT_EQ(format_share(0.999), "0.9990");
  EXPECT_EQ(format_share(0.99912), "0.9991");
  EXPECT_EQ(format_share(0.9999999), ">0.999999");
  EXPECT_EQ(format_share(0.0004), "0.0004");
  EXPECT_EQ(format_share(0.00001), "0.00001");
  EXPECT_EQ(format_share(1e-9), "<0.000001");
}

TEST(Numbers, SharesAtAThresholdAreNotShownBelowIt) {
  EXPECT_EQ(format_share(0.8, 0.8), "0.800");
  EXPECT_EQ(format_share(0.85549, 0.8555), "0.855");
  EXPECT_EQ(format_share(0.8555, 0.8555), "0.8555");
  EXPECT_EQ(format_share(0.8557, 0.8555), "0.8557");
  EXPECT_EQ(format_share(2.0 / 3, 2.0 / 3), "0.666666");
}

TEST(Numbers, NoShareCrossesItsThresholdOrOne) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t whole = 1 + random() % (i % 2 == 0 ? 40 : 3'000'000);
    const std::uint64_t part = random() % (whole + 1);
    const double threshold = static_cast<double>(random() % 1'000'001) / 1e6;
    const double value = static_cast<double>(part) / static_cast<double>(whole);
    const std::string shown = format_share(value, threshold);
    ASSERT_EQ(shown == "1.000", part == whole);
    ASSERT_EQ(shown == "0.000", part == 0);
    if (shown[0] == '>' || shown[0] == '<') continue;
    const double read = std::strtod(shown.c_str(), nullptr);
    ASSERT_EQ(read >= threshold, value >= threshold) << shown << ' ' << value << ' ' << threshold;
    ASSERT_LE(read, value);
    ASSERT_GT(read, value - 0.001);
  }
}

TEST(Numbers, PercentagesAreExactOnlyAtTheEnds) {
  EXPECT_EQ(format_percent(1, 3), "33.3 %");
  EXPECT_EQ(format_percent(0, 3), "0.0 %");
  EXPECT_EQ(format_percent(3, 3), "100.0 %");
  EXPECT_EQ(format_percent(1, 100'000), "<0.1 %");
  EXPECT_EQ(format_percent(99'999, 100'000), ">99.9 %");
  EXPECT_EQ(format_percent(999, 1000), "99.9 %");
  EXPECT_EQ(format_percent(0, 0), "-");
}

TEST(Numbers, BytesAndSeconds) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(999), "999 B");
  EXPECT_EQ(format_bytes(1000), "1 kB");
  EXPECT_EQ(format_bytes(2'500'000), "2.5 MB");
  EXPECT_EQ(format_bytes(999'600'000), "1 GB");
  EXPECT_EQ(format_bytes(12'340'000'000), "12.3 GB");
  EXPECT_EQ(format_bytes(~std::uint64_t{0}), "18.4 EB");
  EXPECT_EQ(format_seconds(0.417), "0.42 s");
  EXPECT_EQ(format_seconds(12.34), "12.3 s");
  EXPECT_EQ(format_seconds(59.96), "1 min 00 s");
  EXPECT_EQ(format_seconds(245), "4 min 05 s");
  EXPECT_EQ(format_seconds(7380), "2 h 03 min");
  EXPECT_EQ(format_seconds(-1), "0 s");
}

}  // namespace
}  // namespace twinset

#include "twinset/ratio.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(Ratio, ParsesEveryWayOfWriting) {
  for (const char* text : {"0.8", ".8", "80%", "4/5", "0.800000", "80.0%"}) {
    const Result<Ratio> ratio = Ratio::parse(text);
    ASSERT_TRUE(ratio.ok()) << text;
    EXPECT_EQ(ratio.value(), Ratio(4, 5)) << text;
    EXPECT_EQ(ratio.value().text(), "0.8");
  }
  EXPECT_EQ(Ratio::parse("1").value(), Ratio(1, 1));
  EXPECT_EQ(Ratio::parse("0").value().value(), 0.0);
  EXPECT_EQ(Ratio::parse("1/3").value().text(), "1/3");
  EXPECT_EQ(Ratio::parse("0.05").value().text(), "0.05");
}

// 12.345678% is a share of eight decimals, which would be too many to read.
TEST(Ratio, ItsTextIsReadBack) {
  for (const char* text : {"12.345678%", "0.000001%", "1/128", "99999999/100000000", "0.123456"}) {
    const Ratio ratio = Ratio::parse(text).value();
    const Result<Ratio> again = Ratio::parse(ratio.text());
    ASSERT_TRUE(again.ok()) << ratio.text();
    EXPECT_EQ(again.value(), ratio) << text;
  }
}

TEST(Ratio, RefusesWhatIsNoShare) {
  for (const char* text : {"", "%", ".", "1.1", "101%", "-0.5", "0.8x", "5/4", "1/0", "0.1234567",
                           "1e-3", "nan", "99999999999"}) {
    const Result<Ratio> ratio = Ratio::parse(text);
    ASSERT_FALSE(ratio.ok()) << text;
    EXPECT_EQ(ratio.error().code, ErrorCode::usage);
  }
}

TEST(Ratio, SaysThatSevenDecimalsAreTooMany) {
  EXPECT_NE(Ratio::parse("0.8000001").error().message.find("six"), std::string::npos);
  EXPECT_EQ(Ratio::parse("0.80000x1").error().message.find("six"), std::string::npos);
}

TEST(Ratio, ComparesExactlyAtTheThreshold) {
  const Ratio threshold(4, 5);
  EXPECT_TRUE(threshold.reached_by(4, 5));
  EXPECT_TRUE(threshold.reached_by(3'200'000'000, 4'000'000'000));
  EXPECT_FALSE(threshold.reached_by(3'199'999'999, 4'000'000'000));
  EXPECT_FALSE(threshold.reached_by(0, 0));
}

}  // namespace
}  // namespace twinset

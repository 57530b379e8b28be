#include "join/distance_limit.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(DistanceLimit, IsANumberOrATableByTheShorterLength) {
  const DistanceLimit usual = DistanceLimit::parse("").value();
  EXPECT_EQ(usual.of(0), 3U);
  EXPECT_FALSE(usual.depends_on_length());
  EXPECT_EQ(DistanceLimit::parse("0").value().most(), 0U);
  const DistanceLimit table = DistanceLimit::parse("100:2,1000:7,4").value();
  EXPECT_TRUE(table.depends_on_length());
  EXPECT_EQ(table.of(0), 2U);
  EXPECT_EQ(table.of(99), 2U);
  EXPECT_EQ(table.of(100), 7U);
  EXPECT_EQ(table.of(999), 7U);
  EXPECT_EQ(table.of(1000), 4U);
  EXPECT_EQ(table.most(), 7U);
}

TEST(DistanceLimit, OtherTextsAreRefused) {
  for (const char* text : {"x", "-1", "3,", ",3", "100:2", "100:2,", "3,100:2", "100:2,50:1,3",
                           "100:2,100:1,3", "100:,3", ":2,3", "100:2:1,3", "2 ,3", "3.5"}) {
    const auto parsed = DistanceLimit::parse(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::usage);
    EXPECT_NE(parsed.error().message.find("is neither BITS"), std::string::npos) << text;
  }
  for (const char* text : {"8", "100:8,3", "100:2,99"}) {
    const auto parsed = DistanceLimit::parse(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_NE(parsed.error().message.find("above 7"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace twinset

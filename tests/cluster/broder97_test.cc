// The paper as a setting and a yardstick (rows B-08, B-30, B-31).
#include <gtest/gtest.h>

#include <string>

#include "twinset/cluster.h"

namespace twinset {
namespace {

// B-08.
TEST(Broder97, ThePapersParameters) {
  ClusterOptions options;
  ASSERT_TRUE(use_paper("broder97", options).ok());
  EXPECT_EQ(options.scheme, "mod(shingle=10, modulus=25, bits=40)");
  EXPECT_EQ(options.resemblance, Ratio(1, 2));
  EXPECT_EQ(options.max_group, 1000U);
  EXPECT_EQ(options.floor, Ratio(0, 1));
  EXPECT_EQ(options.check, Check::sketch);
  ClusterOptions with_texts;
  with_texts.check = Check::exact;
  ASSERT_TRUE(use_paper("broder97", with_texts).ok());
  EXPECT_EQ(with_texts.check, Check::exact);
  EXPECT_FALSE(use_paper("broder96", options).ok());
  ClusterSummary summary;
  summary.documents = 1000;
  summary.keys = 20000;
  summary.all = {120, 410};
  summary.identical_only = {70, 177};
  summary.stages = {{"read", 1, 2}, {"count", 0.1, 0.25}};
  const std::string text = to_text(summary, "broder97");
  for (const char* part :
       {"600,000,000", "3,600,000", "12,300,000", "4.6", "10.4", "20,000", "177", "2000.00"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
  EXPECT_EQ(to_text(summary, "broder96"), "");
}

}  // namespace
}  // namespace twinset

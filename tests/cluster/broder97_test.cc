// The paper as a setting (row B-08).
#include <gtest/gtest.h>

#include "twinset/cluster.h"

namespace twinset {
namespace {

// B-08.
TEST(Broder97, ThePapersParameters) {
  ClusterOptions options;
  ASSERT_TRUE(use_paper("broder97", options).ok());
  EXPECT_EQ(options.scheme, "mod(shingle=10, modulus=25, bits=40, hash=rabin)");
  EXPECT_EQ(options.resemblance, Ratio(1, 2));
  EXPECT_EQ(options.max_group, 1000U);
  EXPECT_EQ(options.floor, Ratio(0, 1));
  EXPECT_EQ(options.verify, Check::sketch);
  ClusterOptions with_texts;
  with_texts.verify = Check::exact;
  ASSERT_TRUE(use_paper("broder97", with_texts).ok());
  EXPECT_EQ(with_texts.verify, Check::exact);
  EXPECT_FALSE(use_paper("broder96", options).ok());
}

}  // namespace
}  // namespace twinset

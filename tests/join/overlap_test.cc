#include "join/overlap.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(Overlap, GivesResemblanceAndBothContainments) {
  constexpr Overlap overlap{6, 8, 10};
  EXPECT_EQ(overlap.all(), 12U);
  EXPECT_DOUBLE_EQ(overlap.resemblance(), 0.5);
  EXPECT_DOUBLE_EQ(overlap.containment(), 0.75);
  EXPECT_DOUBLE_EQ(overlap.earlier_containment(), 0.6);
  EXPECT_EQ(Overlap{}.resemblance(), 0);
  EXPECT_EQ(Overlap{}.containment(), 0);
  EXPECT_EQ((Overlap{0, 0xffffffff, 0xffffffff}.all()), 0x1fffffffeU);
}

TEST(Verdict, GivesExactAndEstimatedNumbers) {
  constexpr Verdict exact{{6, 8, 10}, EdgeState::exact};
  EXPECT_DOUBLE_EQ(exact.resemblance(), 0.5);
  EXPECT_DOUBLE_EQ(exact.containment(), 0.75);
  EXPECT_EQ(exact.standard_error(), 0);
  constexpr Verdict estimate{{estimate_scale / 4, estimate_scale / 100, 0}, EdgeState::sketch};
  EXPECT_DOUBLE_EQ(estimate.resemblance(), 0.25);
  EXPECT_DOUBLE_EQ(estimate.containment(), 0.25);
  EXPECT_DOUBLE_EQ(estimate.standard_error(), 0.01);
}

}  // namespace
}  // namespace twinset

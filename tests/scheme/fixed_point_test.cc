// The integers against libm, which is accurate enough here to judge them.
#include "scheme/fixed_point.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace twinset {
namespace {

TEST(FixedPoint, LogarithmsAreThoseOfLibm) {
  for (unsigned bit = 0; bit < 64; ++bit) {
    EXPECT_EQ(log2_fixed(std::uint64_t{1} << bit), std::uint64_t{bit} << 32);
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t x = i < 5000 ? static_cast<std::uint64_t>(i) + 1 : 1 + (random() >> i % 60);
    const long double exact = std::log2(static_cast<long double>(x)) * 4294967296.0L;
    const auto fixed = static_cast<long double>(log2_fixed(x));
    ASSERT_LE(fixed, exact + 1e-3L) << x;
    ASSERT_GE(fixed, exact - 1.001L) << x;
  }
}

TEST(FixedPoint, CosinesAreThoseOfLibm) {
  constexpr double pi = 3.14159265358979323846;
  EXPECT_EQ(cosine_fixed(0), cosine_one);
  EXPECT_EQ(cosine_fixed(1U << 30), 0);
  EXPECT_EQ(cosine_fixed(1U << 31), -cosine_one);
  EXPECT_EQ(cosine_fixed(3U << 30), 0);
  std::mt19937 random(2);
  for (int i = 0; i < 100000; ++i) {
    const auto turn = static_cast<std::uint32_t>(random());
    const double exact = std::cos(2 * pi * static_cast<double>(turn) / 4294967296.0) * 1048576.0;
    ASSERT_NEAR(static_cast<double>(cosine_fixed(turn)), exact, 2) << turn;
    ASSERT_EQ(cosine_fixed(turn), cosine_fixed(0U - turn)) << turn;
  }
}

// Known to the last bit, so that no compiler and no CPU may give others.
TEST(FixedPoint, GoldenValues) {
  EXPECT_EQ(log2_fixed(10), 14267572527U);
  EXPECT_EQ(log2_fixed(3), 6807362105U);
  EXPECT_EQ(cosine_fixed(1U << 29), 741455);
}

}  // namespace
}  // namespace twinset

#include "scheme/position_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/scratch_folder.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::uint64_t> weights_of(const PositionWeights& positions, std::size_t count) {
  std::vector<std::uint64_t> weights;
  positions.append(count, weights);
  return weights;
}

// S-13: each function against its formula, scaled so that the first weights agree in size.
TEST(PositionWeights, AreTheFunctions) {
  constexpr double pi = 3.14159265358979323846;
  constexpr std::size_t count = 20000;  // more than are computed before
  const auto expect = [&](PositionFunction function, double scale, auto formula) {
    const std::vector<std::uint64_t> weights = weights_of(PositionWeights(function), count);
    for (std::size_t x = 1; x <= count; ++x) {
      const double exact = scale * formula(static_cast<double>(x));
      ASSERT_NEAR(static_cast<double>(weights[x - 1]), exact, 2 + 1e-9 * exact) << x;
    }
  };
  expect(PositionFunction::none, 1, [](double) { return 1.0; });
  expect(PositionFunction::log, 4294967296.0, [](double x) { return std::log2(x + 1) / (x + 1); });
  expect(PositionFunction::inverse, 4294967296.0, [](double x) { return 1 / x; });
  expect(PositionFunction::inverse_log, 1048576.0, [](double x) { return 1 / std::log2(x + 1); });
  expect(PositionFunction::cosine, 1048576.0,
         [&](double x) { return std::cos(2 * pi * x / count) + 1; });
}

// The paper's log(x)/x gives the first word no weight at all; log(x+1)/(x+1) peaks at the second
// word and then falls.
TEST(PositionWeights, TheFirstWordCounts) {
  const std::vector<std::uint64_t> weights =
      weights_of(PositionWeights(PositionFunction::log), 1000000);
  EXPECT_GT(weights[0], 0U);
  EXPECT_GT(weights[1], weights[0]);
  EXPECT_TRUE(std::is_sorted(weights.rbegin(), weights.rend() - 1));
  EXPECT_GT(weights.back(), 0U);
}

TEST(PositionWeights, TheCosineCountsBothEnds) {
  const std::vector<std::uint64_t> weights =
      weights_of(PositionWeights(PositionFunction::cosine), 8);
  EXPECT_THAT(weights, ElementsAre(1790031, 1048576, 307121, 0, 307121, 1048576, 1790031, 2097152));
  EXPECT_THAT(weights_of(PositionWeights(PositionFunction::cosine), 1), ElementsAre(2097152));
}

class PositionFile : public ::testing::Test {
 protected:
  std::string write(const std::string& text) { return folder_.write("positions", text); }
  std::string refusal(const std::string& text) {
    const Result<PositionWeights> read = PositionWeights::read(disk(), write(text));
    EXPECT_FALSE(read.ok()) << text;
    return read.ok() ? "" : read.error().message;
  }
  testing::ScratchFolder folder_;
};

TEST_F(PositionFile, HasAWeightForEachPositionAndTheLastGoesOn) {
  const Result<PositionWeights> read = PositionWeights::read(disk(), write("10 9\n\t0\r\n65535 3"));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_FALSE(read.value().alike());
  EXPECT_THAT(weights_of(read.value(), 7), ElementsAre(10, 9, 0, 65535, 3, 3, 3));
  EXPECT_THAT(weights_of(read.value(), 2), ElementsAre(10, 9));
}

TEST_F(PositionFile, BadOnesAreRefusedAtTheByte) {
  EXPECT_THAT(refusal("1 2\n3 x4"), HasSubstr("line 2, byte 6: \"x4\""));
  EXPECT_THAT(refusal("1\n-2"), HasSubstr("line 2, byte 2: \"-2\""));
  EXPECT_THAT(refusal("1 1.5"), HasSubstr("\"1.5\""));
  EXPECT_THAT(refusal("65536"), HasSubstr("from 0 to 65535"));
  EXPECT_THAT(refusal("99999999999999999999999999999999"), HasSubstr("\"99999999999999999999\""));
  EXPECT_THAT(refusal(std::string("1 \0\x80", 4)), HasSubstr("\"??\""));
  EXPECT_THAT(refusal(""), HasSubstr("no weight by position is above 0"));
  EXPECT_THAT(refusal("0 0 0"), HasSubstr("no weight by position is above 0"));
  EXPECT_FALSE(PositionWeights::read(disk(), folder_ / "none").ok());
}

}  // namespace
}  // namespace twinset

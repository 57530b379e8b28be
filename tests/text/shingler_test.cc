#include "text/shingler.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "base/cpu.h"
#include "base/hash.h"
#include "text/analyzer.h"

namespace twinset {
namespace {

std::vector<std::uint64_t> random_tokens(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> tokens(count);
  for (std::uint64_t& token : tokens) token = random();
  return tokens;
}

/// The definition, term by term.
std::vector<std::uint64_t> defined_shingles(const std::vector<std::uint64_t>& tokens,
                                            std::size_t width) {
  std::vector<std::uint64_t> shingles;
  for (std::size_t i = 0; i + width <= tokens.size(); ++i) {
    std::uint64_t sum = 0;
    std::uint64_t power = 1;
    for (std::size_t j = width; j-- > 0; power *= 0x9e3779b97f4a7c13ULL) {
      sum += tokens[i + j] * power;
    }
    shingles.push_back(mix64(sum));
  }
  return shingles;
}

std::vector<std::uint64_t> shingles_of(std::span<const std::uint64_t> tokens, unsigned width) {
  std::vector<std::uint64_t> out{1, 2, 3};
  shingle(tokens, width, out);
  return out;
}

class ShinglerAtLevel : public testing::TestWithParam<SimdLevel> {
 protected:
  void SetUp() override { ASSERT_TRUE(limit_simd(GetParam()).ok()); }
  void TearDown() override { ASSERT_TRUE(limit_simd(supported_simd_levels().back()).ok()); }
};
INSTANTIATE_TEST_SUITE_P(Levels, ShinglerAtLevel, testing::ValuesIn(supported_simd_levels()),
                         [](const auto& level) {
                           return std::string(simd_level_name(level.param));
                         });

TEST_P(ShinglerAtLevel, EqualsItsDefinitionAtEveryWidth) {
  for (unsigned width = 1; width <= max_shingle_tokens; ++width) {
    for (const std::size_t count : {width, width + 1, width + 7, width + 8, width + 100}) {
      // An exact-size buffer: the sanitizer sees a read past the tokens.
      const std::vector<std::uint64_t> tokens = random_tokens(count, width * 1000 + count);
      ASSERT_EQ(shingles_of(tokens, width), defined_shingles(tokens, width))
          << "width " << width << ", tokens " << count;
    }
  }
}

TEST_P(ShinglerAtLevel, EqualsItsDefinitionAcrossTiles) {
  for (const unsigned width : {1u, 2u, 3u, 5u, 7u, 8u, 10u, 31u, 63u, 64u}) {
    for (std::size_t count = 440; count < 520; ++count) {
      const std::vector<std::uint64_t> tokens = random_tokens(count, count);
      ASSERT_EQ(shingles_of(tokens, width), defined_shingles(tokens, width))
          << "width " << width << ", tokens " << count;
    }
    const std::vector<std::uint64_t> tokens = random_tokens(3001, width);
    ASSERT_EQ(shingles_of(tokens, width), defined_shingles(tokens, width)) << "width " << width;
  }
}

TEST_P(ShinglerAtLevel, FewTokensMakeOneShortShingle) {
  for (unsigned width = 2; width <= max_shingle_tokens; ++width) {
    const std::vector<std::uint64_t> tokens = random_tokens(width, width);
    for (std::size_t count = 1; count < width; ++count) {
      const auto some = std::span(tokens).first(count);
      const auto shorter = shingles_of(some, width);
      ASSERT_EQ(shorter.size(), 1u);
      // Neither the full shingle of the same tokens, nor the short one of fewer.
      EXPECT_NE(shorter, shingles_of(some, static_cast<unsigned>(count)));
      if (count > 1) {
        EXPECT_NE(shorter, shingles_of(some.first(count - 1), width));
      }
    }
  }
  EXPECT_TRUE(shingles_of({}, 5).empty());
}

// B-02 (B section 2): a w-shingling is a set; "a rose is a rose is a rose" has three
// different 4-shingles.
TEST_P(ShinglerAtLevel, B02RoseIsARose) {
  Analysis analysis;
  find_analyzer("words")->analyze("a rose is a rose is a rose", Offsets::drop, analysis);
  const auto windows = shingles_of(analysis.tokens, 4);
  EXPECT_EQ(windows.size(), 5u);
  EXPECT_EQ(std::set(windows.begin(), windows.end()).size(), 3u);
  EXPECT_EQ(windows[0], windows[3]);
  EXPECT_EQ(windows[1], windows[4]);
}

}  // namespace
}  // namespace twinset

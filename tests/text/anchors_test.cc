// Anchors: the promise that no run of N tokens goes without one, and their density.
#include "text/anchors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/cpu.h"
#include "base/hash.h"
#include "text/shingler.h"

namespace twinset {
namespace {

std::vector<std::uint64_t> random_tokens(std::size_t size, std::uint64_t alphabet,
                                         std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> tokens(size);
  for (std::uint64_t& token : tokens) token = mix64(random() % alphabet + 1);
  return tokens;
}

class AnchorsAtLevel : public testing::TestWithParam<SimdLevel> {
  void SetUp() override { ASSERT_TRUE(limit_simd(GetParam()).ok()); }
  void TearDown() override { ASSERT_TRUE(limit_simd(supported_simd_levels().back()).ok()); }
};
INSTANTIATE_TEST_SUITE_P(Levels, AnchorsAtLevel, testing::ValuesIn(supported_simd_levels()),
                         [](const auto& level) {
                           return std::string(simd_level_name(level.param));
                         });

TEST_P(AnchorsAtLevel, EachRunChoosesItsLeftmostLeastWindow) {
  for (const unsigned run_tokens : {1U, 2U, 3U, 10U, 50U, 400U}) {
    const AnchorRule rule(run_tokens);
    for (const std::uint64_t alphabet : {1U, 2U, 1000U}) {
      const auto tokens = random_tokens(1500, alphabet, run_tokens);
      std::vector<std::uint64_t> windows;
      shingle(tokens, rule.width, windows);
      std::vector<TextAnchor> anchors;
      AnchorSampler().sample(tokens, rule, anchors);
      std::size_t run = 0;
      for (const TextAnchor& anchor : anchors) {
        ASSERT_EQ(anchor.first_run, run);
        ASSERT_GT(anchor.runs, 0U);
        for (; run < anchor.first_run + anchor.runs; ++run) {
          const auto begin = windows.begin() + static_cast<std::ptrdiff_t>(run);
          const auto least = std::min_element(begin, begin + (run_tokens - rule.width + 1));
          ASSERT_EQ(anchor.position, least - windows.begin());
          ASSERT_EQ(anchor.key, *least);
        }
      }
      EXPECT_EQ(run, tokens.size() - run_tokens + 1);
    }
  }
}

/// Equal runs choose equal windows at the same place, wherever they stand.
TEST(Anchors, EqualRunsShareAnAnchor) {
  const AnchorRule rule(20);
  const auto passage = random_tokens(20, 1'000'000, 1);
  for (std::uint64_t seed = 2; seed < 200; ++seed) {
    auto tokens = random_tokens(300, 1'000'000, seed);
    const std::size_t at = seed;
    std::copy(passage.begin(), passage.end(), tokens.begin() + static_cast<std::ptrdiff_t>(at));
    std::vector<TextAnchor> alone;
    std::vector<TextAnchor> among;
    AnchorSampler().sample(passage, rule, alone);
    AnchorSampler().sample(tokens, rule, among);
    ASSERT_EQ(alone.size(), 1U);
    const auto found = std::find_if(among.begin(), among.end(), [&](const TextAnchor& anchor) {
      return anchor.first_run <= at && at < anchor.first_run + anchor.runs;
    });
    ASSERT_NE(found, among.end());
    EXPECT_EQ(found->key, alone[0].key);
    EXPECT_EQ(found->position, alone[0].position + at);
  }
}

TEST(Anchors, AreFewAndNoneOfAShortText) {
  const AnchorRule rule(50);
  std::vector<TextAnchor> anchors;
  AnchorSampler sampler;
  const auto tokens = random_tokens(1'000'000, UINT64_MAX - 1, 3);
  sampler.sample(tokens, rule, anchors);
  // 2 in 35; over a million tokens 5 standard deviations are below 2 %.
  const double expected = 2e6 / (rule.run_tokens - rule.width + 2);
  EXPECT_NEAR(static_cast<double>(anchors.size()), expected, 0.02 * expected);
  sampler.sample(std::vector<std::uint64_t>(tokens.begin(), tokens.begin() + 49), rule, anchors);
  EXPECT_TRUE(anchors.empty());
}

/// Windows of any value, in rising, falling and level rows, of every length about a vector's.
TEST_P(AnchorsAtLevel, ChooseTheLeftmostLeastOfAnyWindows) {
  std::mt19937_64 random(7);
  for (const std::uint64_t values : {1ULL, 3ULL, 50ULL, 0ULL}) {
    for (std::size_t choice = 1; choice < 40; ++choice) {
      for (const std::size_t size : {choice - 1, choice, choice + 1, choice + 90}) {
        std::vector<std::uint64_t> windows(size);
        for (std::uint64_t& window : windows) window = values == 0 ? random() : random() % values;
        if (choice % 4 == 1) std::sort(windows.begin(), windows.end());
        if (choice % 4 == 2) std::sort(windows.rbegin(), windows.rend());
        std::vector<TextAnchor> anchors;
        choose_anchors(windows, choice, anchors);
        std::size_t run = 0;
        for (const TextAnchor& anchor : anchors) {
          ASSERT_EQ(anchor.first_run, run);
          ASSERT_GT(anchor.runs, 0U);
          for (; run < anchor.first_run + anchor.runs; ++run) {
            const auto begin = windows.begin() + static_cast<std::ptrdiff_t>(run);
            const auto least = std::min_element(begin, begin + static_cast<std::ptrdiff_t>(choice));
            ASSERT_EQ(anchor.position, least - windows.begin());
            ASSERT_EQ(anchor.key, *least);
          }
        }
        ASSERT_EQ(run + choice, std::max(size + 1, choice));
      }
    }
  }
}

}  // namespace
}  // namespace twinset

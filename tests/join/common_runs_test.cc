// Common runs against dynamic programming over all pairs of tokens.
#include "join/common_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "base/hash.h"
#include "join/common_runs_oracle.h"

namespace twinset {
namespace {

Tokens random_tokens(std::mt19937_64& random, std::size_t most, std::uint64_t alphabet) {
  Tokens tokens(random() % (most + 1));
  for (std::uint64_t& token : tokens) token = mix64(random() % alphabet + 1);
  return tokens;
}

/// By token of one side: does it lie in a run?
std::vector<bool> covered(const std::vector<CommonRun>& runs, std::uint32_t CommonRun::*begin,
                          std::size_t tokens) {
  std::vector<bool> in(tokens);
  for (const CommonRun& run : runs) {
    for (std::uint32_t i = 0; i < run.tokens; ++i) in[run.*begin + i] = true;
  }
  return in;
}

TEST(CommonRuns, EqualDynamicProgrammingOn10000Pairs) {
  std::mt19937_64 random(1);
  std::uint64_t found_runs = 0;
  for (int round = 0; round < 10'000; ++round) {
    const std::uint64_t alphabet = 1 + random() % 6;
    const Tokens a = random_tokens(random, 60, alphabet);
    Tokens b = random_tokens(random, 60, alphabet);
    // Half of the pairs share a longer part, so that long runs occur, too.
    if (round % 2 == 0 && !a.empty()) {
      const std::size_t begin = random() % a.size();
      const std::size_t size = random() % (a.size() - begin + 1);
      b.insert(b.begin() + static_cast<std::ptrdiff_t>(random() % (b.size() + 1)),
               a.begin() + static_cast<std::ptrdiff_t>(begin),
               a.begin() + static_cast<std::ptrdiff_t>(begin + size));
    }
    const auto least = static_cast<unsigned>(1 + random() % 12);
    const CommonRuns found = find_common_runs(a, b, least);
    ASSERT_TRUE(found.all);
    ASSERT_EQ(found.runs, by_dynamic_programming(a, b, least)) << "round " << round;
    found_runs += found.runs.size();
  }
  EXPECT_GT(found_runs, 100'000U);
}

TEST(CommonRuns, TooManyPairsLeaveRunsOutButNoToken) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 2'000; ++round) {
    const std::uint64_t alphabet = 1 + random() % 4;
    const Tokens a = random_tokens(random, 80, alphabet);
    const Tokens b = random_tokens(random, 80, alphabet);
    const auto least = static_cast<unsigned>(1 + random() % 10);
    const std::vector<CommonRun> all = by_dynamic_programming(a, b, least);
    const CommonRuns some = find_common_runs(a, b, least, 0);
    if (!all.empty()) {
      EXPECT_FALSE(some.all);
    }
    EXPECT_TRUE(std::includes(all.begin(), all.end(), some.runs.begin(), some.runs.end()));
    EXPECT_EQ(covered(some.runs, &CommonRun::a, a.size()), covered(all, &CommonRun::a, a.size()));
    EXPECT_EQ(covered(some.runs, &CommonRun::b, b.size()), covered(all, &CommonRun::b, b.size()));
  }
}

TEST(CommonRuns, AWordAMillionTimesTakesLittle) {
  const Tokens a(1'000'000, 7);
  const Tokens b(1'000'001, 7);
  const CommonRuns found = find_common_runs(a, b, 20);
  EXPECT_FALSE(found.all);
  EXPECT_LE(found.runs.size(), 4U);
  EXPECT_EQ(covered_tokens(found.runs, &CommonRun::a), a.size());
  EXPECT_EQ(covered_tokens(found.runs, &CommonRun::b), b.size());
}

TEST(CommonRuns, CoveredTokensCountOnce) {
  const std::vector<CommonRun> runs = {{0, 10, 5}, {3, 40, 4}, {20, 12, 2}};
  EXPECT_EQ(covered_tokens(runs, &CommonRun::a), 9U);  // [0, 7) and [20, 22)
  EXPECT_EQ(covered_tokens(runs, &CommonRun::b), 9U);  // [10, 15) and [40, 44)
  EXPECT_EQ(covered_tokens({}, &CommonRun::a), 0U);
}

TEST(CommonRuns, OfEmptyTexts) {
  const Tokens some = {1, 2, 3};
  EXPECT_TRUE(find_common_runs({}, {}, 1).runs.empty());
  EXPECT_TRUE(find_common_runs(some, {}, 1).runs.empty());
  EXPECT_TRUE(find_common_runs(some, some, 4).runs.empty());
  const std::vector<CommonRun> whole = {{0, 0, 3}};
  EXPECT_EQ(find_common_runs(some, some, 3).runs, whole);
}

}  // namespace
}  // namespace twinset

// Common runs against dynamic programming over all pairs of tokens.
#include "spans/common_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

using Tokens = std::vector<std::uint64_t>;

Tokens random_tokens(std::mt19937_64& random, std::size_t most, std::uint64_t alphabet) {
  Tokens tokens(random() % (most + 1));
  for (std::uint64_t& token : tokens) token = mix64(random() % alphabet + 1);
  return tokens;
}

/// length[i][j]: equal tokens in a row that end with a[i] and b[j].
std::vector<CommonRun> by_dynamic_programming(const Tokens& a, const Tokens& b, unsigned least) {
  std::vector<std::vector<std::uint32_t>> length(a.size() + 1,
                                                 std::vector<std::uint32_t>(b.size() + 1));
  std::vector<CommonRun> runs;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      length[i][j] = a[i - 1] == b[j - 1] ? length[i - 1][j - 1] + 1 : 0;
    }
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool goes_on = i < a.size() && j < b.size() && a[i] == b[j];
      const std::uint32_t tokens = length[i][j];
      if (goes_on || tokens < least) continue;
      runs.push_back(
          {static_cast<std::uint32_t>(i) - tokens, static_cast<std::uint32_t>(j) - tokens, tokens});
    }
  }
  std::sort(runs.begin(), runs.end());
  return runs;
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

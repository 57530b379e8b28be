// All common runs of two texts, the slow and obvious way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "join/common_runs.h"

namespace twinset {

using Tokens = std::vector<std::uint64_t>;

/// length[i][j]: equal tokens in a row that end with a[i] and b[j].
inline std::vector<CommonRun> by_dynamic_programming(const Tokens& a, const Tokens& b,
                                                     unsigned least) {
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

}  // namespace twinset

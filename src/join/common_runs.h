// The common runs of two texts: tokens in a row that both have, as long as they last on both sides.
//
//   const CommonRuns found = find_common_runs(a.tokens, b.tokens, 20);
//   for (const CommonRun& run : found.runs) use(run.a, run.b, run.tokens);
//
// Exact: equal to dynamic programming over all pairs of tokens. If the texts repeat themselves so
// much that there are too many pairs of places, a passage of one text is shown with one place of it
// in the other; `found.all` says so.
//
// Threads: pure functions.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace twinset {

/// a[a, a + tokens) equals b[b, b + tokens); neither the tokens before nor those after are equal.
struct CommonRun {
  std::uint32_t a = 0;  ///< of the first token
  std::uint32_t b = 0;
  std::uint32_t tokens = 0;
  auto operator<=>(const CommonRun&) const = default;
};

struct CommonRuns {
  std::vector<CommonRun> runs;  ///< by place in A, then in B
  /// Every run is there. If false: of those of each stretch of A that is in B at least one, and of
  /// each stretch of B that is in A.
  bool all = true;
};

/// More pairs of equal anchors than this are not followed.
inline constexpr std::uint64_t most_anchor_pairs = std::uint64_t{1} << 24;

/// All common runs of at least `least_tokens`. O(n log n) in the tokens of both, plus at most
/// `least_tokens` steps for each pair of equal anchors, plus the lengths of the runs. Ranges: 1 <=
/// least_tokens <= most_span_tokens.
CommonRuns find_common_runs(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                            unsigned least_tokens, std::uint64_t most_pairs = most_anchor_pairs);

/// The common run through a[at_a] and b[at_b]; empty if these differ.
CommonRun common_run_at(std::span<const std::uint64_t> a, std::size_t at_a,
                        std::span<const std::uint64_t> b, std::size_t at_b);

/// The number of tokens that lie in any of the runs, on the side `begin`.
std::uint64_t covered_tokens(std::vector<CommonRun> runs, std::uint32_t CommonRun::*begin);

}  // namespace twinset

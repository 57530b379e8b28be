// 1. The anchors of both texts are sorted and merged: pairs of equal ones.
// 2. Pairs are sorted by diagonal, the distance of their places. Along a diagonal runs do not
//    overlap, so a pair within the run found last is part of it; any other is extended both ways.
//
// With too many pairs, a text is followed from left to right instead: from the first place in the
// other text of the first run of N tokens that no common run covers yet.
//
// This file's interface is join/common_runs.h; the rest is private.
#include "join/common_runs.h"

#include <algorithm>

#include "join/run_hash.h"
#include "text/anchors.h"

namespace twinset {
namespace {

struct PlacedKey {
  std::uint64_t key;
  std::uint32_t position;
  auto operator<=>(const PlacedKey&) const = default;
};

/// Equal anchors at `a` and `b`.
struct AnchorPair {
  std::uint64_t diagonal;  ///< b - a, above 2^32
  std::uint32_t a;
  std::uint32_t b;
  auto operator<=>(const AnchorPair&) const = default;
};

std::vector<PlacedKey> sorted_anchors(std::span<const std::uint64_t> tokens,
                                      const AnchorRule& rule) {
  std::vector<TextAnchor> anchors;
  AnchorSampler().sample(tokens, rule, anchors);
  std::vector<PlacedKey> placed;
  placed.reserve(anchors.size());
  for (const TextAnchor& anchor : anchors) placed.push_back({anchor.key, anchor.position});
  std::sort(placed.begin(), placed.end());
  return placed;
}

/// Calls `use(begin_a, end_a, begin_b, end_b)` for the places of each key that both lists have.
template <class Placed, class Use>
void for_each_equal(const std::vector<Placed>& a, const std::vector<Placed>& b, Use use) {
  const auto end_of = [](const std::vector<Placed>& list, std::size_t begin) {
    std::size_t end = begin;
    while (end < list.size() && list[end].key == list[begin].key) ++end;
    return end;
  };
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].key < b[j].key) {
      ++i;
    } else if (b[j].key < a[i].key) {
      ++j;
    } else {
      const std::size_t i_end = end_of(a, i);
      const std::size_t j_end = end_of(b, j);
      use(i, i_end, j, j_end);
      i = i_end;
      j = j_end;
    }
  }
}

struct PlacedRun {
  Key128 key;
  std::uint32_t position;
  auto operator<=>(const PlacedRun&) const = default;
};

std::vector<PlacedRun> sorted_runs(std::span<const std::uint64_t> tokens, unsigned least_tokens) {
  std::vector<PlacedRun> placed;
  if (tokens.size() < least_tokens) return placed;
  placed.reserve(tokens.size() - least_tokens + 1);
  RunHasher(least_tokens)
      .for_each(tokens, 0, tokens.size() - least_tokens + 1,
                [&](std::size_t begin, const Key128& key) {
                  placed.push_back({key, static_cast<std::uint32_t>(begin)});
                });
  std::sort(placed.begin(), placed.end());
  return placed;
}

constexpr std::uint32_t nowhere = UINT32_MAX;

/// Follows `later` from left to right. `first[i]` is the first place in `earlier` of the run of N
/// tokens at i, or nowhere.
template <class Found>
void follow(std::span<const std::uint64_t> earlier, std::span<const std::uint64_t> later,
            const std::vector<std::uint32_t>& first, unsigned least_tokens, Found found) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] == nowhere || i + least_tokens <= end) continue;
    const CommonRun run = common_run_at(earlier, first[i], later, i);
    if (run.tokens < least_tokens) continue;
    end = run.b + std::size_t{run.tokens};
    found(run);
  }
}

std::vector<CommonRun> followed_runs(std::span<const std::uint64_t> a,
                                     std::span<const std::uint64_t> b, unsigned least_tokens) {
  const std::vector<PlacedRun> runs_a = sorted_runs(a, least_tokens);
  const std::vector<PlacedRun> runs_b = sorted_runs(b, least_tokens);
  std::vector<std::uint32_t> first_in_a(runs_b.size(), nowhere);
  std::vector<std::uint32_t> first_in_b(runs_a.size(), nowhere);
  for_each_equal(runs_a, runs_b,
                 [&](std::size_t i, std::size_t i_end, std::size_t j, std::size_t j_end) {
                   const std::uint32_t at_a = runs_a[i].position;
                   const std::uint32_t at_b = runs_b[j].position;
                   for (; i < i_end; ++i) first_in_b[runs_a[i].position] = at_b;
                   for (; j < j_end; ++j) first_in_a[runs_b[j].position] = at_a;
                 });
  std::vector<CommonRun> runs;
  follow(a, b, first_in_a, least_tokens, [&](const CommonRun& run) { runs.push_back(run); });
  follow(b, a, first_in_b, least_tokens, [&](const CommonRun& run) {
    runs.push_back({run.b, run.a, run.tokens});
  });
  return runs;
}

}  // namespace

CommonRun common_run_at(std::span<const std::uint64_t> a, std::size_t at_a,
                        std::span<const std::uint64_t> b, std::size_t at_b) {
  std::size_t end_a = at_a;
  std::size_t end_b = at_b;
  while (end_a < a.size() && end_b < b.size() && a[end_a] == b[end_b]) ++end_a, ++end_b;
  if (end_a == at_a) return {};
  while (at_a > 0 && at_b > 0 && a[at_a - 1] == b[at_b - 1]) --at_a, --at_b;
  return {static_cast<std::uint32_t>(at_a), static_cast<std::uint32_t>(at_b),
          static_cast<std::uint32_t>(end_a - at_a)};
}

CommonRuns find_common_runs(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                            unsigned least_tokens, std::uint64_t most_pairs) {
  const AnchorRule rule(least_tokens);
  const std::vector<PlacedKey> anchors_a = sorted_anchors(a, rule);
  const std::vector<PlacedKey> anchors_b = sorted_anchors(b, rule);
  std::uint64_t count = 0;
  for_each_equal(anchors_a, anchors_b,
                 [&](std::size_t i, std::size_t i_end, std::size_t j, std::size_t j_end) {
                   count += std::uint64_t{i_end - i} * (j_end - j);
                 });
  CommonRuns found;
  if (count > most_pairs) {
    found.all = false;
    found.runs = followed_runs(a, b, least_tokens);
  } else {
    std::vector<AnchorPair> pairs;
    pairs.reserve(static_cast<std::size_t>(count));
    for_each_equal(anchors_a, anchors_b,
                   [&](std::size_t i, std::size_t i_end, std::size_t j_begin, std::size_t j_end) {
                     for (; i < i_end; ++i) {
                       for (std::size_t j = j_begin; j < j_end; ++j) {
                         const std::uint32_t at_a = anchors_a[i].position;
                         const std::uint32_t at_b = anchors_b[j].position;
                         pairs.push_back({(std::uint64_t{1} << 32) + at_b - at_a, at_a, at_b});
                       }
                     }
                   });
    std::sort(pairs.begin(), pairs.end());
    std::uint64_t diagonal = 0;
    std::size_t end = 0;  // in A, of the last run on the diagonal
    for (const AnchorPair& pair : pairs) {
      if (pair.diagonal != diagonal) end = 0;
      diagonal = pair.diagonal;
      if (pair.a < end) continue;
      const CommonRun run = common_run_at(a, pair.a, b, pair.b);
      end = std::max<std::size_t>(end, run.a + std::size_t{run.tokens});
      if (run.tokens >= least_tokens) found.runs.push_back(run);
    }
  }
  std::sort(found.runs.begin(), found.runs.end());
  found.runs.erase(std::unique(found.runs.begin(), found.runs.end()), found.runs.end());
  return found;
}

std::uint64_t covered_tokens(std::vector<CommonRun> runs, std::uint32_t CommonRun::*begin) {
  std::sort(runs.begin(), runs.end(),
            [&](const CommonRun& x, const CommonRun& y) { return x.*begin < y.*begin; });
  std::uint64_t covered = 0;
  std::uint64_t end = 0;
  for (const CommonRun& run : runs) {
    const std::uint64_t from = std::max<std::uint64_t>(end, run.*begin);
    const std::uint64_t to = std::uint64_t{run.*begin} + run.tokens;
    if (to > from) covered += to - from;
    end = std::max(end, to);
  }
  return covered;
}

}  // namespace twinset

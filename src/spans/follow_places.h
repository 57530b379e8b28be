// The spans of one later text, from the earlier places of its runs: each common run is followed to
// both its ends.
//
//   std::vector<FollowedRun> spans;
//   TWINSET_ASSIGN(const bool fits, follow_places(places, 50, tokens, tokens_of, spans));
//
// A text is followed from left to right, once for first places and once for nearest ones: a span
// that still lasts is followed on; where none covers the next N tokens, their first (or nearest)
// place begins another, as long as it lasts on both sides. So each earlier place is shown once, and
// spans are few even where a passage repeats itself.
//
// Threads: pure functions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "join/common_runs.h"
#include "spans/run_places.h"
#include "twinset/result.h"
#include "twinset/spans.h"

namespace twinset {

/// A span, by tokens of both texts.
struct FollowedRun {
  CommonRun run;              ///< a: in the earlier text
  std::uint32_t earlier = 0;  ///< the number of that text
  bool is_first = false;
  bool is_nearest = false;

  auto place() const { return std::tie(run.b, earlier, run.a, run.tokens); }
};

/// Replaces `spans`, by place. `places`, ascending, are of one later text, whose tokens are
/// `later`; `tokens_of(number)` gives a Result of those of a text, valid until the next call. False
/// if the tokens do not have these runs.
template <class Places, class TokensOf>
Result<bool> follow_places(std::span<const Places> places, std::uint32_t run_tokens,
                           std::span<const std::uint64_t> later, TokensOf tokens_of,
                           std::vector<FollowedRun>& spans) {
  spans.clear();
  for (const bool first : {true, false}) {
    std::size_t end = 0;
    for (const Places& row : places) {
      // The first run that no span covers: one that begins there covers the others.
      const std::size_t covered = std::size_t{row.place.begin} + run_tokens;
      const std::size_t skipped = end < covered ? 0 : end - covered + 1;
      if (skipped >= runs_at(row)) continue;
      const auto begin = static_cast<std::uint32_t>(row.place.begin + skipped);
      RunPlace at = first ? row.first : row.nearest;
      at.begin += static_cast<std::uint32_t>(skipped);
      TWINSET_ASSIGN(const std::span<const std::uint64_t> earlier, tokens_of(at.text));
      if (begin >= later.size() || at.begin >= earlier.size()) return false;
      const CommonRun run = common_run_at(earlier, at.begin, later, begin);
      if (run.tokens < run_tokens) return false;
      end = run.b + std::size_t{run.tokens};
      spans.push_back({run, at.text, first, !first});
    }
  }
  std::sort(spans.begin(), spans.end(),
            [](const FollowedRun& x, const FollowedRun& y) { return x.place() < y.place(); });
  // A span found by its first place and as the nearest is one.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (kept > 0 && spans[kept - 1].place() == spans[i].place()) {
      spans[kept - 1].is_first |= spans[i].is_first;
      spans[kept - 1].is_nearest |= spans[i].is_nearest;
    } else {
      spans[kept++] = spans[i];
    }
  }
  spans.resize(kept);
  return true;
}

}  // namespace twinset

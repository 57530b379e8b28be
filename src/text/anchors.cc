#include "text/anchors.h"

#include <algorithm>
#include <cassert>

#include "text/shingler.h"

namespace twinset {
namespace {

/// An anchor has this part of a run's tokens: longer ones are rarer by chance but sampled more
/// densely (docs/spans.md has the measurements).
constexpr unsigned width_divisor = 3;

}  // namespace

AnchorRule::AnchorRule(unsigned run)
    : run_tokens(run),
      width(std::clamp((run + width_divisor - 1) / width_divisor, 1U, max_shingle_tokens)) {
  assert(run >= 1 && run <= most_span_tokens);
}

void choose_anchors(std::span<const std::uint64_t> windows, std::size_t choice,
                    std::vector<TextAnchor>& out) {
  out.clear();
  if (windows.size() < choice) return;
  const std::size_t runs = windows.size() - choice + 1;
  const auto leftmost_least = [&](std::size_t begin, std::size_t end) {
    const auto at = windows.begin();
    return static_cast<std::size_t>(std::min_element(at + static_cast<std::ptrdiff_t>(begin),
                                                     at + static_cast<std::ptrdiff_t>(end)) -
                                    at);
  };
  std::size_t chosen = leftmost_least(0, choice);
  std::size_t first_run = 0;
  const auto end_at = [&](std::size_t run) {
    out.push_back({windows[chosen], static_cast<std::uint32_t>(chosen),
                   static_cast<std::uint32_t>(first_run),
                   static_cast<std::uint32_t>(run - first_run)});
    first_run = run;
  };
  for (std::size_t run = 1; run < runs; ++run) {
    const std::size_t last = run + choice - 1;
    if (windows[last] < windows[chosen]) {
      end_at(run);
      chosen = last;
    } else if (chosen < run) {
      end_at(run);
      chosen = leftmost_least(run, last + 1);
    }
  }
  end_at(runs);
}

void AnchorSampler::sample(std::span<const std::uint64_t> tokens, const AnchorRule& rule,
                           std::vector<TextAnchor>& out) {
  out.clear();
  if (tokens.size() < rule.run_tokens) return;
  shingle(tokens, rule.width, windows_);
  choose_anchors(windows_, rule.run_tokens - rule.width + 1, out);
}

}  // namespace twinset

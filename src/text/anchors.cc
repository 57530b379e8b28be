// A chosen window stays the least until a lesser one comes or it leaves the row. So a text is
// walked in two kinds of scans, each some vectors long: for the first window that is less than the
// chosen one, and, where none came, for the least of the next row.
//
// This file's interface is text/anchors.h; the rest is private.
#include "text/anchors.h"

#include <algorithm>
#include <cassert>

#include "base/cpu.h"
#include "text/shingler.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "text/anchors.cc"
// Two lanes without a 64-bit comparison are slower than the portable way.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace twinset {
namespace {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Words64 = hn::CappedTag<std::uint64_t, 8>;

/// The first of [begin, end) that is less than `bound`, or `end`.
HWY_INLINE std::size_t first_less(const std::uint64_t* windows, std::size_t begin, std::size_t end,
                                  std::uint64_t bound) {
  const Words64 d;
  const auto bounds = hn::Set(d, bound);
  for (; end - begin >= hn::Lanes(d); begin += hn::Lanes(d)) {
    const auto found = hn::FindFirstTrue(d, hn::Lt(hn::LoadU(d, windows + begin), bounds));
    if (found >= 0) return begin + static_cast<std::size_t>(found);
  }
  while (begin < end && windows[begin] >= bound) ++begin;
  return begin;
}

/// begin < end.
HWY_INLINE std::size_t leftmost_least(const std::uint64_t* windows, std::size_t begin,
                                      std::size_t end) {
  const Words64 d;
  std::uint64_t least = windows[begin];
  std::size_t i = begin;
  if (end - begin >= hn::Lanes(d)) {
    auto leasts = hn::LoadU(d, windows + begin);
    for (i += hn::Lanes(d); end - i >= hn::Lanes(d); i += hn::Lanes(d)) {
      leasts = hn::Min(leasts, hn::LoadU(d, windows + i));
    }
    least = hn::GetLane(hn::MinOfLanes(d, leasts));
  }
  for (; i < end; ++i) least = std::min(least, windows[i]);
  const auto wanted = hn::Set(d, least);
  for (i = begin; end - i >= hn::Lanes(d); i += hn::Lanes(d)) {
    const auto found = hn::FindFirstTrue(d, hn::Eq(hn::LoadU(d, windows + i), wanted));
    if (found >= 0) return i + static_cast<std::size_t>(found);
  }
  while (windows[i] != least) ++i;
  return i;
}

void Anchors(const std::uint64_t* windows, std::size_t count, std::size_t choice,
             std::vector<TextAnchor>& out) {
  const std::size_t runs = count - choice + 1;
  std::size_t chosen = leftmost_least(windows, 0, choice);
  std::size_t first_run = 0;
  std::size_t seen = choice;  // No window before it is less than the chosen one.
  const auto end_at = [&](std::size_t run) {
    out.push_back({windows[chosen], static_cast<std::uint32_t>(chosen),
                   static_cast<std::uint32_t>(first_run),
                   static_cast<std::uint32_t>(run - first_run)});
    first_run = run;
  };
  for (;;) {
    const std::size_t end = std::min(chosen + choice + 1, count);
    const std::size_t lesser = first_less(windows, seen, end, windows[chosen]);
    if (lesser < end) {
      seen = lesser + 1;
      end_at(seen - choice);
      chosen = lesser;
    } else if (chosen + 1 < runs) {
      end_at(chosen + 1);
      seen = first_run + choice;
      chosen = leftmost_least(windows, first_run, seen);
    } else {
      return end_at(runs);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace twinset
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset {
namespace {
HWY_EXPORT(Anchors);

void anchors_portable(std::span<const std::uint64_t> windows, std::size_t choice,
                      std::vector<TextAnchor>& out) {
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
  if (simd_level() < SimdLevel::avx2) {
    anchors_portable(windows, choice, out);
  } else {
    HWY_DYNAMIC_DISPATCH(Anchors)(windows.data(), windows.size(), choice, out);
  }
}

void AnchorSampler::sample(std::span<const std::uint64_t> tokens, const AnchorRule& rule,
                           std::vector<TextAnchor>& out) {
  out.clear();
  if (tokens.size() < rule.run_tokens) return;
  shingle(tokens, rule.width, windows_);
  choose_anchors(windows_, rule.run_tokens - rule.width + 1, out);
}

}  // namespace twinset
#endif  // HWY_ONCE

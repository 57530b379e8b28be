// This file's interface is calibrate/drawn_choice.h; the rest is private.
#include "calibrate/drawn_choice.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/message.h"
#include "evaluate/clustered_share.h"
#include "evaluate/random.h"
#include "scheme/estimate.h"
#include "words/numbers.h"

namespace twinset {
namespace {

constexpr std::uint64_t recall_purpose = 25;

Share exact_share(const Tally& tally) {
  const Interval interval = exact_interval(tally.count, tally.of);
  return {tally.count, tally.of, interval.low, interval.high};
}

/// The classes of a range that merged_ranges() made.
struct Classes {
  std::size_t first = 0;
  std::size_t last = 0;
  explicit Classes(const TokenRange& range)
      : first(token_class(range.least)),
        last(range.below == 0 ? token_classes - 1 : token_class(range.below - 1)) {}
  bool hold(std::size_t length) const { return first <= length && length <= last; }
};

/// Pairs in the order of their ranks.
using Ranked = std::vector<const DrawnPair*>;

/// Of the pairs of these lengths at a value, as many of the lowest ranks as were drawn.
Tally right_pairs(const Ranked& ranked, const Classes& lengths, std::size_t value, std::size_t half,
                  std::uint64_t most) {
  Tally right;
  for (const DrawnPair* pair : ranked) {
    if (right.of == most) break;
    if (pair->half() != half || (pair->found >> value & 1) == 0 || !lengths.hold(pair->length))
      continue;
    right.add(pair->same);
  }
  return right;
}

Result<Share> recall_share(const RecallPairs& recall, const Classes& lengths, std::size_t value,
                           std::size_t half, const ChoiceOptions& options) {
  Tally found;
  ClusterTallies groups;
  for (const RecallPair& pair : recall.pairs) {
    if (pair.half != half || !lengths.hold(token_class(pair.tokens))) continue;
    const bool is_found = (pair.found >> value & 1) != 0;
    found.add(is_found);
    if (!recall.independent) groups.add(pair.group, is_found);
  }
  if (recall.independent) return exact_share(found);
  return groups.share(derive_seed(options.seed, recall_purpose), options.keep_going);
}

}  // namespace

std::uint64_t pairs_needed(const Ratio& precision) {
  std::uint64_t needed = 1;
  // All right among n: the lower end is 0.025^(1/n).
  if (precision.value() > 0) {
    needed = static_cast<std::uint64_t>(
        std::max(1.0, std::floor(std::log(0.025) / std::log(precision.value()))));
  }
  while (exact_interval(needed, needed).low < precision.value()) ++needed;
  return needed;
}

Result<Choices> choose_drawn(const DrawnPairs& drawn, const RecallPairs& recall,
                             std::span<const std::string> values, const ChoiceOptions& options) {
  Ranked ranked;
  std::array<std::array<std::uint64_t, token_classes>, 2> counts{};  // by half
  for (const DrawnPair& pair : drawn.pairs) {
    ranked.push_back(&pair);
    ++counts[pair.half()][pair.length];
  }
  std::ranges::sort(ranked, {},
                    [](const DrawnPair* pair) { return std::tuple(pair->rank, pair->a, pair->b); });
  const auto count = [&](std::size_t half, std::size_t first, std::size_t last) {
    std::uint64_t sum = 0;
    for (std::size_t i = first; i <= last; ++i) sum += counts[half][i];
    return std::min(sum, drawn.most);
  };
  Choices out;
  out.needed = pairs_needed(options.precision);
  if (count(0, 0, token_classes - 1) < out.needed || count(1, 0, token_classes - 1) == 0) {
    return usage_error(fmt::format(
        "too few found pairs to tell a precision of {}: that takes {} in the half that chooses, "
        "all of them right; it has {}, and the half that checks has {}. Give more documents, a "
        "larger {}, or a lower {}",
        options.precision.text(), format_count(out.needed),
        format_count(count(0, 0, token_classes - 1)), format_count(count(1, 0, token_classes - 1)),
        option("sample"), option("precision")));
  }
  const auto chosen_by = [&](std::size_t first, std::size_t last) { return count(0, first, last); };
  const auto measure = [&](const TokenRange& range) -> Result<CalibrationClass> {
    const Classes lengths(range);
    CalibrationClass of;
    of.tokens = range;
    for (std::size_t value = 0; value < values.size(); ++value) {
      CalibrationRow row;
      row.value = values[value];
      for (std::size_t i = lengths.first; i <= lengths.last; ++i)
        row.found += drawn.found[i][value];
      for (std::size_t half = 0; half < 2; ++half) {
        HalfShares& shares = half == 0 ? row.choosing : row.held_out;
        shares.precision = exact_share(right_pairs(ranked, lengths, value, half, drawn.most));
        TWINSET_ASSIGN(shares.recall, recall_share(recall, lengths, value, half, options));
      }
      of.rows.push_back(std::move(row));
    }
    return of;
  };
  return choices_by_length(merged_ranges(out.needed, chosen_by), measure, options, std::move(out));
}

}  // namespace twinset

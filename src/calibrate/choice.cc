// Lengths begin as six classes; one with too few groups takes in the next longer one, and the rest
// at the end joins the class before it.
//
// This file's interface is calibrate/choice.h; the rest is private.
#include "calibrate/choice.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "base/message.h"
#include "evaluate/clustered_share.h"
#include "evaluate/random.h"
#include "join/union_find.h"
#include "scheme/estimate.h"
#include "words/numbers.h"

namespace twinset {
namespace {

constexpr std::array<std::uint64_t, token_classes - 1> class_bounds = {50, 100, 200, 500, 1000};
constexpr std::uint64_t half_purpose = 21;
constexpr std::uint64_t share_purpose = 22;

/// The pairs with their groups and halves.
class Grouped {
 public:
  Grouped(std::span<const ObservedPair> pairs, std::span<const std::uint64_t> tokens,
          std::uint64_t seed)
      : pairs_(pairs), tokens_(tokens), seed_(seed) {
    UnionFind united(static_cast<std::uint32_t>(tokens.size()));
    for (const ObservedPair& pair : pairs) {
      if (pair.same) united.unite(pair.a, pair.b);
    }
    groups_.reserve(tokens.size());
    for (std::uint32_t d = 0; d < tokens.size(); ++d) groups_.push_back(united.find(d));
  }

  std::span<const ObservedPair> pairs() const { return pairs_; }
  std::uint32_t group_of(std::uint32_t document) const { return groups_[document]; }
  std::uint32_t group(const ObservedPair& pair) const { return groups_[pair.b]; }
  bool between_groups(const ObservedPair& pair) const { return groups_[pair.a] != groups_[pair.b]; }
  /// 0 of the half that chooses, 1 of the other; nullopt: between them.
  std::optional<std::size_t> half(const ObservedPair& pair) const {
    const std::size_t half = half_of(groups_[pair.b]);
    return half_of(groups_[pair.a]) == half ? std::optional(half) : std::nullopt;
  }
  std::uint64_t tokens(const ObservedPair& pair) const {
    return std::min(tokens_[pair.a], tokens_[pair.b]);
  }

 private:
  std::size_t half_of(std::uint32_t group) const {
    return derive_seed(seed_, half_purpose, group) & 1;
  }

  std::span<const ObservedPair> pairs_;
  std::span<const std::uint64_t> tokens_;
  std::uint64_t seed_;
  std::vector<std::uint32_t> groups_;  // by document
};

bool within(std::uint64_t tokens, const TokenRange& range) {
  return tokens >= range.least && (range.below == 0 || tokens < range.below);
}

/// The lengths that have at least `needed` groups with found pairs in the half that chooses.
std::vector<TokenRange> ranges_of(const Grouped& grouped, std::uint64_t needed) {
  std::array<std::set<std::uint32_t>, token_classes> groups;
  for (const ObservedPair& pair : grouped.pairs()) {
    if (pair.found == 0 || grouped.half(pair) != 0) continue;
    groups[token_class(grouped.tokens(pair))].insert(grouped.group(pair));
  }
  return merged_ranges(needed, [&](std::size_t first, std::size_t last) {
    std::set<std::uint32_t> held;
    for (std::size_t i = first; i <= last; ++i) held.insert(groups[i].begin(), groups[i].end());
    return held.size();
  });
}

/// Found and same pairs of one value and half, by group.
struct FoundAndSame {
  ClusterTallies recall;
  ClusterTallies precision;
};

Result<HalfShares> shares_of(const FoundAndSame& counts, const ChoiceOptions& options) {
  const std::uint64_t seed = derive_seed(options.seed, share_purpose);
  HalfShares shares;
  TWINSET_ASSIGN(shares.recall, counts.recall.share(seed, options.keep_going));
  TWINSET_ASSIGN(shares.precision, counts.precision.share(seed, options.keep_going));
  return shares;
}

/// Measures every value on the pairs of one length.
Result<CalibrationClass> measure(const Grouped& grouped, const TokenRange& range,
                                 std::span<const std::string> values,
                                 const ChoiceOptions& options) {
  std::vector<std::array<FoundAndSame, 2>> counts(values.size());
  std::vector<std::uint64_t> all_found(values.size());
  for (const ObservedPair& pair : grouped.pairs()) {
    if (!within(grouped.tokens(pair), range)) continue;
    const std::optional<std::size_t> half = grouped.half(pair);
    const std::uint32_t group = grouped.group(pair);
    for (std::size_t value = 0; value < values.size(); ++value) {
      const bool found = (pair.found >> value & 1) != 0;
      if (found) ++all_found[value];
      if (!half) continue;
      FoundAndSame& at = counts[value][*half];
      if (pair.same) at.recall.add(group, found);
      if (!found) continue;
      at.precision.add(group, pair.same);
      if (grouped.between_groups(pair)) at.precision.add(group, false);
    }
  }
  CalibrationClass measured;
  measured.tokens = range;
  for (std::size_t value = 0; value < values.size(); ++value) {
    CalibrationRow row;
    row.value = values[value];
    row.found = all_found[value];
    TWINSET_ASSIGN(row.choosing, shares_of(counts[value][0], options));
    TWINSET_ASSIGN(row.held_out, shares_of(counts[value][1], options));
    measured.rows.push_back(std::move(row));
  }
  return measured;
}

/// Marks the row to take.
void choose_row(CalibrationClass& of, const ChoiceOptions& options) {
  of.chosen = 0;
  of.reached = false;
  for (std::size_t i = 0; i < of.rows.size(); ++i) {
    const HalfShares& shares = of.rows[i].choosing;
    if (!shares.precision.known() || shares.precision.low < options.precision.value()) continue;
    const bool better = !of.reached || options.prefer == Prefer::last ||
                        shares.recall.count > of.rows[*of.chosen].choosing.recall.count;
    if (better) of.chosen = i;
    of.reached = true;
  }
}

}  // namespace

std::size_t token_class(std::uint64_t tokens) {
  return static_cast<std::size_t>(
      std::upper_bound(class_bounds.begin(), class_bounds.end(), tokens) - class_bounds.begin());
}

TokenRange range_of_class(std::size_t length) {
  return {length == 0 ? 0 : class_bounds[length - 1],
          length < class_bounds.size() ? class_bounds[length] : 0};
}

std::vector<TokenRange> merged_ranges(
    std::uint64_t needed,
    const std::function<std::uint64_t(std::size_t first, std::size_t last)>& count) {
  std::vector<TokenRange> ranges;
  std::size_t first = 0;
  for (std::size_t last = 0; last < token_classes; ++last) {
    if (count(first, last) < needed) continue;
    ranges.push_back({range_of_class(first).least, range_of_class(last).below});
    first = last + 1;
  }
  if (ranges.empty()) return {TokenRange()};
  ranges.back().below = 0;
  return ranges;
}

Result<Choices> choices_by_length(
    std::span<const TokenRange> ranges,
    const std::function<Result<CalibrationClass>(const TokenRange&)>& measure,
    const ChoiceOptions& options, Choices out) {
  for (const TokenRange& range : ranges) {
    TWINSET_ASSIGN(CalibrationClass of, measure(range));
    if (options.by_length) choose_row(of, options);
    out.classes.push_back(std::move(of));
  }
  if (options.by_length) return out;
  if (out.classes.size() == 1) out.classes.clear();
  TWINSET_ASSIGN(CalibrationClass all, measure({}));
  choose_row(all, options);
  out.classes.push_back(std::move(all));
  return out;
}

std::uint64_t groups_needed(const Ratio& precision) {
  // All right among n: Wilson's lower end is n / (n + z^2).
  std::uint64_t needed = static_cast<std::uint64_t>(
      std::floor(normal_95 * normal_95 * precision.value() / (1 - precision.value())));
  while (wilson_interval(static_cast<double>(needed), static_cast<double>(needed)).low <
         precision.value()) {
    ++needed;
  }
  return std::max<std::uint64_t>(needed, 1);
}

Result<Choices> choose(std::span<const ObservedPair> pairs, std::span<const std::uint64_t> tokens,
                       std::span<const std::string> values, const ChoiceOptions& options) {
  const Grouped grouped(pairs, tokens, options.seed);
  Choices out;
  out.needed = groups_needed(options.precision);
  std::map<std::uint32_t, std::uint64_t> sizes;  // of groups, in documents
  std::vector<bool> counted(tokens.size());
  std::array<std::set<std::uint32_t>, 2> found;
  for (const ObservedPair& pair : pairs) {
    for (const std::uint32_t document : {pair.a, pair.b}) {
      if (!counted[document]) ++sizes[grouped.group_of(document)];
      counted[document] = true;
    }
    if (pair.found == 0) continue;
    if (const auto half = grouped.half(pair)) found[*half].insert(grouped.group(pair));
  }
  out.groups = sizes.size();
  std::uint64_t largest = 0;
  std::uint64_t documents = 0;
  for (const auto& [group, size] : sizes) {
    largest = std::max(largest, size);
    documents += size;
  }
  if (documents > 0) {
    out.largest_group = static_cast<double>(largest) / static_cast<double>(documents);
  }
  if (found[0].size() < out.needed || found[1].empty()) {
    return usage_error(fmt::format(
        "too few found pairs to tell a precision of {}: that takes {} with found pairs in the half "
        "that chooses, where documents that are the same are one group; it has {}, and the half "
        "that checks has {}. Give more documents or labels, a larger {}, or a lower {}",
        options.precision.text(), format_count(out.needed, "group", "groups"),
        format_count(found[0].size()), format_count(found[1].size()), option("sample"),
        option("precision")));
  }
  const auto measured = [&](const TokenRange& range) {
    return measure(grouped, range, values, options);
  };
  const std::vector<TokenRange> ranges = ranges_of(grouped, out.needed);
  return choices_by_length(ranges, measured, options, std::move(out));
}

}  // namespace twinset

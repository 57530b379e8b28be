// Each sampled key is a draw of its own, with probability q: a sum over the sampled keys, divided
// by q, is unbiased, with a variance of (1 - q) / q^2 times the sum of squares.
//
// This file's interface is key_forecast.h; the rest is private.
#include "plan/key_forecast.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "scheme/estimate.h"

namespace twinset {
namespace {

/// A sum of fewer draws of equal weight does not have a normal interval.
constexpr double fewest_key_draws = 30;
/// Fewer meetings than this cost nothing, even if a few keys make most of them.
constexpr double least_meetings = 100'000;
/// A key with so many holders in the sample is large: their number tells the number of all holders.
constexpr std::size_t large_holders = 16;
/// The share of a sample's rows under large keys that may or may not be common.
constexpr double doubtful_share = 0.05;
/// Large keys are searched among about so many; a part of them is enough.
constexpr std::size_t most_looked_at = std::size_t{1} << 20;

double pairs_among(double members) { return members * (members - 1) / 2; }

/// A sum over sampled keys.
struct KeySum {
  double sum = 0;
  double squares = 0;
  void add(double value) {
    sum += value;
    squares += value * value;
  }
  Predicted predicted(double q) const {
    if (q == 1) return {sum, sum, sum};
    const double value = sum / q;
    const double half = normal_95 * std::sqrt(squares * (1 - q)) / q;
    // The upper end allows for the number that may exist, with 95 %, though no sampled key shows
    // it; and, for few draws, for the score interval's constant.
    const double unseen = std::log(0.05) / std::log1p(-q);
    const double few = normal_95 * normal_95 / 2 * (1 - q) / q;
    return {value, std::max(0.0, value - half), std::max(value + half + few, value + unseen)};
  }
  double effective_draws() const { return squares > 0 ? sum * sum / squares : fewest_key_draws; }
};

/// Large keys, sampled or not.
struct LargeKeys {
  double meetings = 0;        ///< under those that are not common
  double doubtful_share = 0;  ///< share of rows under keys that may be common
};

/// Each document is in the sample because of one of its keys, so it counts as the inverse of the
/// chance that one of so many is sampled.
LargeKeys large_keys(const SampleBatch& sampled, double q, double max_group) {
  std::size_t all = 0;
  for (const KeyHolder& document : sampled.documents) all += document.keys;
  const int thin = std::max(0, static_cast<int>(std::bit_width(all / most_looked_at)));
  std::vector<std::pair<std::uint64_t, double>> rows;
  for (const KeyHolder& document : sampled.documents) {
    const double chance = -std::expm1(std::max(1U, document.keys) * std::log1p(-q));
    for (const std::uint64_t key : sampled.keys_of(document)) {
      if (mix64(key ^ 0xc2b2ae3d27d4eb4fULL) <= ~0ULL >> thin) rows.emplace_back(key, 1 / chance);
    }
  }
  std::sort(rows.begin(), rows.end());
  LargeKeys large;
  double doubtful = 0;
  double stands_for_all = 0;
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    double holders = 0;
    for (; end < rows.size() && rows[end].first == rows[begin].first; ++end) {
      holders += rows[end].second;
    }
    stands_for_all += holders;
    if (end - begin < large_holders) continue;
    const bool maybe_common = max_group > 0 && holders > max_group / 2;
    // The sample alone has more than the run allows: surely common.
    const bool surely_common = max_group > 0 && static_cast<double>(end - begin) > max_group;
    if (maybe_common && !surely_common) doubtful += holders;
    if (!surely_common) large.meetings += std::ldexp(pairs_among(holders), thin);
  }
  large.doubtful_share = stands_for_all > 0 ? doubtful / stands_for_all : 0;
  return large;
}

}  // namespace

KeyForecast forecast_keys(const SampleBatch& sampled, unsigned halvings, std::uint64_t max_group) {
  std::vector<std::uint64_t> keys;
  for (const KeyHolder& document : sampled.documents) {
    for (const std::uint64_t key : sampled.keys_of(document)) {
      if (KeySample::holds(key, halvings)) keys.push_back(key);
    }
  }
  std::sort(keys.begin(), keys.end());
  KeySum groups;
  KeySum common;
  KeySum meetings;
  for (std::size_t begin = 0, end = 0; begin < keys.size(); begin = end) {
    while (end < keys.size() && keys[end] == keys[begin]) ++end;
    const std::size_t holders = end - begin;
    if (holders < 2) continue;
    if (max_group != 0 && holders > max_group) {
      common.add(1);
    } else {
      groups.add(1);
      meetings.add(pairs_among(static_cast<double>(holders)));
    }
  }
  const double q = std::ldexp(1.0, -static_cast<int>(halvings));
  KeyForecast out{groups.predicted(q), common.predicted(q), meetings.predicted(q), true};
  if (q == 1) return out;
  const LargeKeys large = large_keys(sampled, q, static_cast<double>(max_group));
  out.common_known = large.doubtful_share < doubtful_share;
  const double most = std::max(out.meetings.value, large.meetings);
  out.meetings.predictable =
      most < least_meetings ||
      (meetings.effective_draws() >= fewest_key_draws && large.meetings < 2 * out.meetings.value);
  return out;
}

}  // namespace twinset

// E. B. Wilson, "Probable inference, the law of succession, and statistical
// inference", JASA 22 (1927); the b-bit correction is Li and Koenig, WWW 2010,
// for values that are uniform given that they differ.
//
// This file's interface is scheme/estimate.h; the rest is private.
#include "scheme/estimate.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

namespace twinset {
namespace {

/// The chance of at least `least` successes in `trials`, 0 < least <= trials, if each has the
/// chance `share`: the sum of the binomial's terms, from the largest of them downward on both
/// sides.
double upper_tail(std::uint64_t least, std::uint64_t trials, double share) {
  const auto n = static_cast<double>(trials);
  const double log_share = std::log(share);
  const double log_rest = std::log1p(-share);
  const auto term = [&](double k) {
    return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                    k * log_share + (n - k) * log_rest);
  };
  constexpr double negligible = 1e-17;
  const auto first = static_cast<double>(least);
  const double top = std::clamp(std::floor((n + 1) * share), first, n);
  const double odds = share / (1 - share);
  double sum = 0;
  double each = term(top);
  for (double k = top; k >= first && each > negligible * sum; --k) {
    sum += each;
    each *= k / ((n - k + 1) * odds);
  }
  each = term(top);
  for (double k = top + 1; k <= n; ++k) {
    each *= (n - k + 1) * odds / k;
    if (each <= negligible * sum) break;
    sum += each;
  }
  return sum;
}

/// The share at which at least `least` successes have a chance of 2.5 %.
double low_end(std::uint64_t least, std::uint64_t trials) {
  constexpr double outside = 0.025;
  constexpr int halvings = 60;
  double low = 0;
  double high = 1;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    (upper_tail(least, trials, middle) < outside ? low : high) = middle;
  }
  return low;
}

}  // namespace

Interval wilson_interval(double successes, double trials) {
  if (!(trials > 0)) return {};
  const double share = successes / trials;
  const double z2 = normal_95 * normal_95 / trials;
  const double center = (share + z2 / 2) / (1 + z2);
  const double half =
      normal_95 * std::sqrt(share * (1 - share) / trials + z2 / (4 * trials)) / (1 + z2);
  // Rounding must not put the share itself outside.
  return {share, std::clamp(center - half, 0.0, share), std::clamp(center + half, share, 1.0)};
}

Interval exact_interval(std::uint64_t successes, std::uint64_t trials) {
  assert(successes <= trials);
  if (trials == 0) return {};
  Interval interval{static_cast<double>(successes) / static_cast<double>(trials)};
  if (successes > 0) interval.low = low_end(successes, trials);
  // So few successes are so many failures.
  if (successes < trials) interval.high = 1 - low_end(trials - successes, trials);
  return interval;
}

Estimate estimate_share(std::uint64_t successes, std::uint64_t trials, double sampled_share) {
  assert(trials > 0 && successes <= trials);
  const auto n = static_cast<double>(trials);
  const auto hits = static_cast<double>(successes);
  Estimate estimate;
  estimate.value = hits / n;
  const double unseen = 1 - sampled_share;
  if (unseen <= 0) {
    estimate.low = estimate.high = estimate.value;
    return estimate;
  }
  const double inward = (hits + 1) / (n + 2);
  estimate.standard_error = std::sqrt(inward * (1 - inward) / n * unseen);
  const Interval interval = wilson_interval(hits / unseen, n / unseen);
  estimate.low = interval.low;
  estimate.high = interval.high;
  return estimate;
}

std::uint64_t count_equal_words(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
  assert(a.size() == b.size() && a.size() % sizeof(std::uint32_t) == 0);
  std::uint64_t equal = 0;
  for (std::size_t i = 0; i < a.size(); i += sizeof(std::uint32_t)) {
    equal += std::memcmp(&a[i], &b[i], sizeof(std::uint32_t)) == 0 ? 1 : 0;
  }
  return equal;
}

Estimate estimate_matching_bits(std::uint64_t matches, std::uint64_t trials, unsigned bits) {
  assert(bits >= 1 && bits <= 32);
  const double chance = std::ldexp(1.0, -static_cast<int>(bits));
  const auto corrected = [chance](double share) {
    return std::clamp((share - chance) / (1 - chance), 0.0, 1.0);
  };
  const Estimate raw = estimate_share(matches, trials, 0);
  return {{corrected(raw.value), corrected(raw.low), corrected(raw.high)},
          raw.standard_error / (1 - chance)};
}

Estimate estimate_equal_values(std::uint64_t equal, const SketchFacts& facts) {
  return facts.value_bits == 0
             ? estimate_share(equal, facts.compared_values, 0)
             : estimate_matching_bits(equal, facts.compared_values, facts.value_bits);
}

std::optional<Estimate> estimate_again(double resemblance, const SketchFacts& facts) {
  if (facts.compared_values == 0) return std::nullopt;
  const double chance =
      facts.value_bits == 0 ? 0 : std::ldexp(1.0, -static_cast<int>(facts.value_bits));
  const double equal =
      (chance + resemblance * (1 - chance)) * static_cast<double>(facts.compared_values);
  return estimate_equal_values(static_cast<std::uint64_t>(std::llround(equal)), facts);
}

}  // namespace twinset

// Choosing a plan. For a given number of rows, more bands only raise S, so the only plan to
// consider is the one with the fewest bands that still reaches the recall; there is one such plan
// for each number of rows, and the one with the smallest area under S below the threshold wins. All
// powers are products, never pow(): the choice decides keys and must not depend on a math library.
//
// This file's interface is scheme/bands.h; the rest is private.
#include "scheme/bands.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>

#include "base/hash.h"

namespace twinset {
namespace {

constexpr std::uint64_t band_multiplier = 0x9e3779b97f4a7c15ULL;
constexpr std::uint64_t pair_multiplier = 0xa0761d6478bd642fULL;

double power(double base, std::uint32_t exponent) {
  double result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result *= base;
    base *= base;
  }
  return result;
}

/// Fewest bands of `rows` rows with S(threshold) >= recall, or 0 if more than
/// `most` would be needed.
std::uint32_t fewest_bands(std::uint32_t rows, std::uint32_t most, double threshold,
                           double recall) {
  const double miss = 1 - power(threshold, rows);
  double missed = 1;
  for (std::uint32_t bands = 1; bands <= most; ++bands) {
    missed *= miss;
    if (1 - missed >= recall) return bands;
  }
  return 0;
}

/// The lowest threshold any plan over `values` values reaches, in whole
/// thousandths rounded up: single rows, one a band.
double lowest_threshold(std::uint32_t values, double recall) {
  for (int thousandths = 1; thousandths < 1000; ++thousandths) {
    const double threshold = thousandths / 1000.0;
    if (band_match_probability({values, 1}, threshold) >= recall) return threshold;
  }
  return 1;
}

}  // namespace

double band_match_probability(const BandPlan& plan, double j) {
  return 1 - power(1 - power(std::clamp(j, 0.0, 1.0), plan.rows), plan.bands);
}

double false_candidate_share(const BandPlan& plan, double threshold) {
  constexpr int steps = 512;  // midpoint rule; S is smooth and monotone
  double area = 0;
  for (int i = 0; i < steps; ++i) {
    area += band_match_probability(plan, threshold * (i + 0.5) / steps);
  }
  return area / steps;
}

Result<BandPlan> choose_band_plan(std::uint32_t values, double threshold, double recall) {
  if (values == 0 || values > max_band_values) {
    return usage_error(
        fmt::format("a band plan over {} values; there are 1 to {}", values, max_band_values));
  }
  if (!(threshold > 0 && threshold <= 1) || !(recall > 0 && recall < 1)) {
    return usage_error(fmt::format(
        "no band plan for a threshold of {} at recall {}; both lie above 0, the threshold up to 1, "
        "the recall below 1",
        threshold, recall));
  }
  BandPlan best;
  double best_share = 2;
  for (std::uint32_t rows = 1; rows <= values; ++rows) {
    const BandPlan plan{fewest_bands(rows, values / rows, threshold, recall), rows};
    if (plan.bands == 0) continue;
    const double share = false_candidate_share(plan, threshold);
    if (share < best_share) {
      best = plan;
      best_share = share;
    }
  }
  if (best.bands == 0) {
    return usage_error(
        fmt::format("this scheme cannot search below a resemblance of {:.3f}; {} was asked for",
                    lowest_threshold(values, recall), threshold));
  }
  return best;
}

Result<BandPlan> resolve_band_plan(std::uint32_t values, std::uint64_t bands, std::uint64_t rows,
                                   double threshold) {
  if (bands == 0 && rows == 0) return choose_band_plan(values, threshold);
  if (bands == 0 || rows == 0) {
    return usage_error(fmt::format(
        "bands={}, rows={}: give both, or neither to have them chosen from the threshold", bands,
        rows));
  }
  if (bands > values || rows > values || bands * rows > values) {
    return usage_error(fmt::format("bands={}, rows={} need more than the {} values there are",
                                   bands, rows, values));
  }
  return BandPlan{static_cast<std::uint32_t>(bands), static_cast<std::uint32_t>(rows)};
}

void append_band_keys(const BandPlan& plan, std::span<const std::uint64_t> values,
                      std::vector<std::uint64_t>& out) {
  assert(values.size() >= std::size_t{plan.bands} * plan.rows);
  const std::uint64_t* value = values.data();
  for (std::uint32_t band = 0; band < plan.bands; ++band) {
    std::uint64_t key = (band + 1) * band_multiplier;
    for (std::uint32_t row = 0; row < plan.rows; ++row) {
      key = multiply_fold(key ^ *value++, pair_multiplier) + band_multiplier;
    }
    out.push_back(mix64(key));
  }
}

}  // namespace twinset

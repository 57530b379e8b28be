// Band plans: how many bands of how many values give candidates at a threshold.
//
// With `bands` bands of `rows` values, two documents of resemblance j share a
// band with probability S(j) = 1 - (1 - j^rows)^bands (the S-curve).
//
//   choose_band_plan(256, 0.8)   // 28 bands of 9 rows: S(0.8) = 0.982
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "twinset/result.h"

namespace twinset {

struct BandPlan {
  std::uint32_t bands = 0;
  std::uint32_t rows = 0;
  bool operator==(const BandPlan&) const = default;
};

/// Share of true pairs at the threshold that a chosen plan must find.
inline constexpr double default_band_recall = 0.98;

/// Most values a plan is chosen over.
inline constexpr std::uint32_t max_band_values = 4096;

/// S(j) of a plan, j in [0, 1].
double band_match_probability(const BandPlan& plan, double j);

/// Integral of S from 0 to `threshold`, divided by `threshold`: the share of pairs below the
/// threshold that would become candidates if resemblance were uniform.
double false_candidate_share(const BandPlan& plan, double threshold);

/// The plan over at most `values` values with the fewest false candidates
/// (the integral of S below the threshold) whose S(threshold) >= `recall`.
/// An error with code usage names the lowest possible threshold.
Result<BandPlan> choose_band_plan(std::uint32_t values, double threshold,
                                  double recall = default_band_recall);

/// A scheme's `bands` and `rows` parameters: both 0 means chosen from the
/// threshold; both given must fit into `values`. Error (usage) otherwise.
Result<BandPlan> resolve_band_plan(std::uint32_t values, std::uint64_t bands, std::uint64_t rows,
                                   double threshold);

/// Appends one 64-bit key a band to `out`: a hash of the band's number and its values, so that
/// documents share a key only if they agree in the same band.
void append_band_keys(const BandPlan& plan, std::span<const std::uint64_t> values,
                      std::vector<std::uint64_t>& out);

}  // namespace twinset

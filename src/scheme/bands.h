// Band plans: how many bands of how many values give candidates at a threshold.
//
// With `bands` bands of `rows` values, two documents of resemblance j share a
// band with probability S(j) = 1 - (1 - j^rows)^bands (the S-curve).
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "twinset/result.h"

namespace twinset {

struct BandPlan {
  std::uint32_t bands = 0;
  std::uint32_t rows = 0;
};

/// S(j) of a plan, j in [0, 1].
double band_match_probability(const BandPlan& plan, double j);

/// The plan over at most `values` values with the fewest false candidates
/// (the integral of S below the threshold) whose S(threshold) >= `recall`.
/// An error with code usage says which threshold is the lowest possible.
Result<BandPlan> choose_band_plan(std::uint32_t values, double threshold, double recall = 0.98);

}  // namespace twinset

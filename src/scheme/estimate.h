// Estimates from samples, with their errors as far as known.
//
//   Estimate e = estimate_share(200, 256, 0);   // 0.781 +- 0.026, [0.727, 0.827]
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "scheme/scheme.h"

namespace twinset {

/// Standard errors to either side of a normal mean that hold 95 % of it.
inline constexpr double normal_95 = 1.959963984540054;

/// A share with Wilson's score interval: right for small samples and for shares
/// near 0 or 1, where value +- 2 standard errors is not. `trials` need not be
/// whole (a sample from a small population counts for more); 0 gives 0 in [0, 1].
Interval wilson_interval(double successes, double trials);

/// A share with the interval of Clopper and Pearson: each end is where so few, or so many,
/// successes have a chance of 2.5 %. It holds the true share in at least 95 % of samples of any
/// size, with or without replacement, and is wider than Wilson's, which holds it in 95 % of samples
/// over many shares. `trials` of 0 give 0 in [0, 1].
Interval exact_interval(std::uint64_t successes, std::uint64_t trials);

/// `successes` of `trials` as an estimate. `sampled_share` is the share of the population in the
/// sample, in [0, 1]: 0 for independent draws; 1 means that everything was seen, and then the value
/// is exact. `trials` > 0. The standard error is computed with one success and one failure more, so
/// a sample's is never 0.
Estimate estimate_share(std::uint64_t successes, std::uint64_t trials, double sampled_share);

/// The number of 32-bit words that two stored sketches have in common, place by place. Both are of
/// one size, a multiple of four bytes.
std::uint64_t count_equal_words(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b);

/// estimate_share() for `bits`-bit values; different ones agree by chance with probability 2^-bits:
/// (matches/trials - 2^-bits) / (1 - 2^-bits). Clipped to [0, 1]. bits in 1..32.
Estimate estimate_matching_bits(std::uint64_t matches, std::uint64_t trials, unsigned bits);

/// The estimate of two sketches of which so many of SketchFacts::compared_values are equal.
Estimate estimate_equal_values(std::uint64_t equal, const SketchFacts& facts);
/// The whole estimate, of which only the resemblance was kept, to a millionth; nullopt if the
/// scheme makes it in another way.
std::optional<Estimate> estimate_again(double resemblance, const SketchFacts& facts);

}  // namespace twinset

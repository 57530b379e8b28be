// A share of pairs that come in clusters. Ten versions of one text are 45 pairs
// but hardly 45 observations: what finds one tends to find all.
//
//   std::vector<Share> clusters = ...;           // each cluster's found of due pairs
//   Interval interval = clustered_interval(clusters, seed);
//
// The interval is the wider, at each end, of two: Wilson's, of the share among as many
// observations as there are clusters, and the percentiles of a bootstrap that draws whole
// clusters. The first alone ignores that some clusters are larger than others; the second
// alone says "exactly 1" where all were found.
//
// One kind of interval for every share: of two methods held against the same due pairs,
// one that found all that the other found, and more, never has the lower bound. Both parts
// rise with what is found, and the draws are the same for both methods.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <span>

#include "evaluate/share.h"

namespace twinset {

/// 95 % interval of the sum of `clusters`; those without pairs do not matter.
/// Fixed by the seed. 1,000 draws of as many clusters as there are.
Interval clustered_interval(std::span<const Share> clusters, std::uint64_t seed);

}  // namespace twinset

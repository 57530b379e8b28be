// The units that sums of shares are made of (ShareSums in twinset/reuse.h).
//
//   share_of_units(share_units(1, 2)) == 0.5
//
// Threads: pure functions.
#pragma once

#include <cstdint>

#include "twinset/reuse.h"

namespace twinset {

/// The units of a whole.
inline constexpr std::uint64_t whole_share = std::uint64_t{1} << 32;

/// In [0, 1]; exact.
double share_of_units(std::uint64_t units);

}  // namespace twinset

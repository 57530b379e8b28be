// The shares and the keys that make an edge of a pair, whatever is read.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>

#include "scheme/scheme.h"
#include "twinset/collection.h"
#include "twinset/ratio.h"
#include "twinset/result.h"

namespace twinset {

/// Error (usage): a share of nothing, or a floor above the threshold.
Status check_shares(const Ratio& resemblance, const std::optional<Ratio>& containment,
                    const std::optional<Ratio>& floor = {});

/// The fewest shared keys of an edge in a run with containment. With fewer keys most edges would
/// be estimates of short documents that have no other keys, and most of these edges would be
/// wrong. 1 if nothing is estimated.
std::uint32_t least_keys(const Scheme& scheme, Check check);

}  // namespace twinset

// Sorting values that are spread evenly, as hashes are: one pass to buckets by
// the high bits, then insertions, about 4 ns a value for a few hundred of them.
//
// Threads: pure functions but for their outputs.
#pragma once

#include <cstdint>
#include <span>

namespace twinset {

/// Sorts `values`, of which none is above `limit`. Always right; fast when they
/// are spread evenly in [0, limit] and repeats are few. O(n log n) at worst.
void sort_uniform(std::span<std::uint64_t> values, std::uint64_t limit);

}  // namespace twinset

// w-shingling: the contiguous w-token windows of a document as 64-bit hashes
// (B section 2). Repeats stay; resemblance and containment are of the *set*, which each user forms
// in its cheapest way.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace twinset {

/// B's windows: 10 words in the paper; 5 is the default here.
inline constexpr unsigned default_shingle_tokens = 5;
inline constexpr unsigned max_shingle_tokens = 64;

/// The windows of `tokens`, in order; `out` is replaced. With fewer than
/// `width` tokens but at least one, a single short shingle of them all that
/// equals no full one (B leaves this undefined); with none, nothing.
/// Ranges: 1 <= width <= max_shingle_tokens. O(tokens), SIMD, equal on all CPUs.
void shingle(std::span<const std::uint64_t> tokens, unsigned width,
             std::vector<std::uint64_t>& out);

}  // namespace twinset

// Samples of a document's shingles by hash: hashes each shingle once, and keeps the hashes up to a
// limit. All documents are sampled alike, so a shared shingle is sampled in both or in neither.
//
//   const ShingleHash hash{mix64(seed + 3), multiplier};
//   sample_shingles(hash, shingles, UINT64_MAX / 25, sample);   // MOD_25
//
// Threads: pure functions, except for their outputs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cpu.h"
#include "scheme/kernels/select_hashes.h"

namespace twinset {

/// Shingles hashed at a time; a chunk's hashes fit the first-level cache.
inline constexpr std::size_t sample_chunk = 512;

/// Calls `take` with the hashes of at most `limit`, a chunk at a time, in order,
/// repeats included.
template <class Take>
void select_shingles(const ShingleHash& hash, std::span<const std::uint64_t> shingles,
                     std::uint64_t limit, Take take) {
  std::array<std::uint64_t, sample_chunk> kept;
  const SimdLevel level = simd_level();
  for (std::size_t begin = 0; begin < shingles.size(); begin += sample_chunk) {
    const std::size_t size = std::min(sample_chunk, shingles.size() - begin);
    const std::size_t count =
        select_hashes(hash, shingles.subspan(begin, size), limit, kept.data(), level);
    take(std::span<const std::uint64_t>(kept.data(), count));
  }
}

/// Sorts hashes, none of them above `limit`, and moves repeats to the end. Returns the number of
/// distinct ones.
std::size_t sort_and_unify(std::span<std::uint64_t> hashes, std::uint64_t limit);

/// The distinct hashes of at most `limit`, sorted; replaces `out`.
void sample_shingles(const ShingleHash& hash, std::span<const std::uint64_t> shingles,
                     std::uint64_t limit, std::vector<std::uint64_t>& out);

/// The `count` smallest distinct hashes, sorted, or all if there are fewer; replaces `out`. True if
/// these are all. Takes about one pass over the shingles and a sort of a little more than `count`;
/// with many repeats, a few passes more.
bool sample_smallest(const ShingleHash& hash, std::span<const std::uint64_t> shingles,
                     std::size_t count, std::vector<std::uint64_t>& out);

}  // namespace twinset

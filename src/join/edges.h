// Pairs of documents on their way from candidate to proof.
//
// A Pair says: look at these two. An Edge is a pair with what is known of it:
// nothing yet, below the thresholds, or the exact overlap of the two shingle
// sets (or the sketches' estimate of it). The later document in keep order is
// the one that may go.
//
// Threads: values; rows of rows/.
#pragma once

#include <cstdint>

#include "base/document.h"

namespace twinset {

struct Pair {
  Place later;
  Place earlier;
  auto operator<=>(const Pair&) const = default;
};

enum class EdgeState : std::uint32_t {
  unverified = 0,
  below = 1,  ///< verified: under every threshold
  exact = 2,  ///< verified: reaches one; counts are of distinct shingles
  sketch = 3  ///< estimated at or over it; counts are of estimate_scale
};

/// Sketch estimates are kept as shares of this.
inline constexpr std::uint32_t estimate_scale = 1'000'000;

struct Edge {
  Pair pair;
  std::uint32_t shared = 0;   ///< exact: distinct shingles in both; sketch: resemblance
  std::uint32_t later = 0;    ///< exact: of the later document; sketch: standard error
  std::uint32_t earlier = 0;  ///< exact: of the earlier one
  EdgeState state = EdgeState::unverified;
};

struct PairLess {
  bool operator()(const Pair& a, const Pair& b) const { return a < b; }
  bool operator()(const Edge& a, const Edge& b) const { return a.pair < b.pair; }
  static std::uint64_t radix(const Pair& pair) { return pair.later.radix(); }
  static std::uint64_t radix(const Edge& edge) { return edge.pair.later.radix(); }
};

}  // namespace twinset

// The numbers of a pair: the sizes of two sets and of their common part.
//
//   Overlap{.shared = 6, .later = 8, .earlier = 10}.resemblance();   // 6 of 12: 0.5
//   edge.verdict.containment();      // exact, or the sketches' estimate
//
// Threads: values, and parts of rows of files: their sizes are fixed.
#pragma once

#include <cstdint>

namespace twinset {

/// A part of a whole; 0 of nothing.
constexpr double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// The sizes of two sets, of shingles or of keys, and of their common part.
struct Overlap {
  std::uint32_t shared = 0;
  std::uint32_t later = 0;
  std::uint32_t earlier = 0;

  constexpr std::uint64_t all() const { return std::uint64_t{later} + earlier - shared; }
  constexpr double resemblance() const { return share(shared, all()); }
  /// Containment of the later one in the earlier, and of the earlier one in the later.
  constexpr double containment() const { return share(shared, later); }
  constexpr double earlier_containment() const { return share(shared, earlier); }
};
static_assert(sizeof(Overlap) == 12);

enum class EdgeState : std::uint32_t {
  unverified = 0,
  below = 1,  ///< verified: under every threshold
  exact = 2,  ///< verified: reaches one; counts are of distinct shingles
  sketch = 3  ///< estimated at or over it; counts are of estimate_scale
};

/// Sketch estimates are kept as shares of this.
inline constexpr std::uint32_t estimate_scale = 1'000'000;

/// The verdict on a pair: none yet, the overlap of two shingle sets, or with `sketch` the
/// estimated resemblance (shared) and its standard error (later).
struct Verdict {
  Overlap overlap;
  EdgeState state = EdgeState::unverified;

  constexpr bool estimated() const { return state == EdgeState::sketch; }
  constexpr double resemblance() const {
    return estimated() ? share(overlap.shared, estimate_scale) : overlap.resemblance();
  }
  /// Containment of the later document in the earlier; for an estimate, its resemblance.
  constexpr double containment() const {
    return estimated() ? resemblance() : overlap.containment();
  }
  /// The standard error of an estimated resemblance; 0 for exact numbers.
  constexpr double standard_error() const {
    return estimated() ? share(overlap.later, estimate_scale) : 0;
  }
};
static_assert(sizeof(Verdict) == 16);

}  // namespace twinset

// The sizes of two sets and of their common part, and the shares that they give.
//
//   const Overlap found{.shared = 6, .later = 8, .earlier = 10};
//   found.resemblance();   // 6 of 12: 0.5
//
// Threads: values. They are parts of stored rows, so their size is fixed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace twinset {

/// part / whole; 0 if whole is 0.
constexpr double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// Estimates are stored and compared in units of 1 / estimate_scale.
inline constexpr std::uint32_t estimate_scale = 1'000'000;

/// The most such units that are no more than an estimated share: the nearest number of them, or one
/// less. share(units, estimate_scale) gives the same units.
inline std::uint32_t estimate_units(double estimate) {
  const double nearest = std::round(std::clamp(estimate, 0.0, 1.0) * estimate_scale);
  const auto units = static_cast<std::uint32_t>(nearest);
  return units == 0 || share(units, estimate_scale) <= estimate ? units : units - 1;
}

/// The sizes of two sets, of shingles or of keys, and of their common part.
struct Overlap {
  std::uint32_t shared = 0;
  std::uint32_t later = 0;
  std::uint32_t earlier = 0;

  constexpr std::uint64_t all() const { return std::uint64_t{later} + earlier - shared; }
  constexpr double resemblance() const { return share(shared, all()); }
  /// Containment of the later set in the earlier, and of the earlier in the later.
  constexpr double containment() const { return share(shared, later); }
  constexpr double earlier_containment() const { return share(shared, earlier); }
};
static_assert(sizeof(Overlap) == 12);

}  // namespace twinset

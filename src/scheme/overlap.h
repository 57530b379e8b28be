// The sizes of two sets and of their common part, and the shares that they give.
//
//   const Overlap found{.shared = 6, .later = 8, .earlier = 10};
//   found.resemblance();   // 6 of 12: 0.5
//
// Threads: values. They are parts of stored rows, so their size is fixed.
#pragma once

#include <cstdint>

namespace twinset {

/// part / whole; 0 if whole is 0.
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
  /// Containment of the later set in the earlier, and of the earlier in the later.
  constexpr double containment() const { return share(shared, later); }
  constexpr double earlier_containment() const { return share(shared, earlier); }
};
static_assert(sizeof(Overlap) == 12);

}  // namespace twinset

// Shares of wholes as integers, so that their sums are the same in any order and any split.
//
//   ShareSums sums;
//   sums.add(share_units(1, 3));        // a page with one label in three chunks
//   sums.add(0, 9);                     // nine pages without a label
//   sums.mean() + sums.deviation()      // the threshold of paper 004, 6.3
//
// A share is in units of 2^-32, rounded down: it is wrong by less than 2.4e-10, and never above a
// threshold that the whole share only equals.
//
// Threads: a value; functions are pure.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace twinset {

/// The units of a whole.
inline constexpr std::uint64_t whole_share = std::uint64_t{1} << 32;

/// 0 of nothing. Range: part <= whole.
std::uint64_t share_units(std::uint64_t part, std::uint64_t whole);
/// In [0, 1]; exact.
double share_of_units(std::uint64_t units);

class ShareSums {
 public:
  /// Twentieths, and all.
  static constexpr std::size_t bars = 21;

  void add(std::uint64_t units, std::uint64_t times = 1);
  void add(const ShareSums& other);

  std::uint64_t count() const { return count_; }
  /// Exact if all shares are equal; 0 of none.
  double mean() const;
  /// The standard deviation of all of them, not of a sample; exactly 0 if all are equal.
  double deviation() const;
  /// How many shares are in each twentieth, the last one for wholes.
  std::vector<std::uint64_t> by_twentieth() const { return {bars_.begin(), bars_.end()}; }

 private:
  using Wide = unsigned __int128;

  std::uint64_t count_ = 0;
  Wide sum_ = 0;
  Wide squares_ = 0;
  std::array<std::uint64_t, bars> bars_{};
};

}  // namespace twinset

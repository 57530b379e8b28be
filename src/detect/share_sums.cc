#include "detect/share_sums.h"

#include <algorithm>
#include <cmath>

namespace twinset {

std::uint64_t share_units(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return 0;
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(part) << 32) / whole);
}

double share_of_units(std::uint64_t units) {
  return static_cast<double>(units) / static_cast<double>(whole_share);
}

void ShareSums::add(std::uint64_t units, std::uint64_t times) {
  count_ += times;
  sum_ += static_cast<Wide>(units) * times;
  squares_ += static_cast<Wide>(units) * units * times;
  // Units are rounded down; one more and 6/20 is in the bar that begins there.
  bars_[static_cast<std::size_t>((units + 1) * (bars - 1) / whole_share)] += times;
}

void ShareSums::add(const ShareSums& other) {
  count_ += other.count_;
  sum_ += other.sum_;
  squares_ += other.squares_;
  for (std::size_t i = 0; i < bars; ++i) bars_[i] += other.bars_[i];
}

double ShareSums::mean() const {
  if (count_ == 0) return 0;
  const auto whole = static_cast<std::uint64_t>(sum_ / count_);
  const auto rest = static_cast<std::uint64_t>(sum_ % count_);
  const double units =
      static_cast<double>(whole) + static_cast<double>(rest) / static_cast<double>(count_);
  return units / static_cast<double>(whole_share);
}

double ShareSums::deviation() const {
  // Of fewer shares the difference below is less than 2^128, however large its terms are.
  constexpr std::uint64_t too_many = std::uint64_t{1} << 33;
  if (count_ == 0) return 0;
  const double count = static_cast<double>(count_);
  if (count_ < too_many) {
    const Wide difference = squares_ * count_ - sum_ * sum_;
    return std::sqrt(static_cast<double>(difference)) / count / static_cast<double>(whole_share);
  }
  const double of_units = static_cast<double>(sum_) / count;
  const double variance = static_cast<double>(squares_) / count - of_units * of_units;
  return std::sqrt(std::fmax(0, variance)) / static_cast<double>(whole_share);
}

ShareSums::State ShareSums::state() const {
  const auto high = [](Wide number) { return static_cast<std::uint64_t>(number >> 64); };
  const auto low = [](Wide number) { return static_cast<std::uint64_t>(number); };
  State state{count_, high(sum_), low(sum_), high(squares_), low(squares_)};
  std::ranges::copy(bars_, state.end() - bars);
  return state;
}

ShareSums ShareSums::of(const State& state) {
  const auto wide = [](std::uint64_t high, std::uint64_t low) { return Wide{high} << 64 | low; };
  ShareSums sums;
  sums.count_ = state[0];
  sums.sum_ = wide(state[1], state[2]);
  sums.squares_ = wide(state[3], state[4]);
  std::copy_n(state.end() - bars, bars, sums.bars_.begin());
  return sums;
}

}  // namespace twinset

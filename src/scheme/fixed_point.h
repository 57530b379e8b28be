// Logarithms and cosines as integers, the same on every CPU: libm differs between machines, and a
// weight that differs in its last bit can turn a bit of a signature.
//
//   log2_fixed(10);                  // log2(10) * 2^32, rounded down
//   cosine_fixed(1ULL << 30);        // of a quarter turn: 0
//
// Threads: pure functions.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace twinset {

inline constexpr unsigned log2_fraction_bits = 32;

/// log2(x) * 2^32; at most one below the exact value. Range: x >= 1.
constexpr std::uint64_t log2_fixed(std::uint64_t x) {
  const int exponent = 63 - std::countl_zero(x);
  // x / 2^exponent is in [1, 2). Its square is so many powers of two as the next bit says.
  std::uint64_t mantissa = x << (63 - exponent);
  std::uint64_t log = static_cast<std::uint64_t>(exponent);
  for (unsigned bit = 0; bit < log2_fraction_bits; ++bit) {
    const unsigned __int128 square = static_cast<unsigned __int128>(mantissa) * mantissa;
    const bool two = (square >> 127) != 0;
    mantissa = static_cast<std::uint64_t>(square >> (two ? 64 : 63));
    log = log << 1 | (two ? 1 : 0);
  }
  return log;
}

inline constexpr std::int64_t cosine_one = std::int64_t{1} << 20;

namespace fixed_point_detail {

inline constexpr unsigned quarter_steps = 1024;

/// Cosines of a quarter turn, by their power series in units of 2^-30.
inline constexpr auto quarter_cosines = [] {
  std::array<std::int32_t, quarter_steps + 1> cosines{};
  constexpr std::int64_t half_pi = 1686629713;
  for (unsigned step = 0; step <= quarter_steps; ++step) {
    const std::int64_t angle = half_pi * step / quarter_steps;
    const std::int64_t square = (angle * angle) >> 30;
    std::int64_t term = std::int64_t{1} << 30;
    std::int64_t sum = term;
    for (std::int64_t n = 1; term != 0; n += 2) {
      term = -((term * square) >> 30) / (n * (n + 1));
      sum += term;
    }
    cosines[step] = static_cast<std::int32_t>(sum);
  }
  cosines[quarter_steps] = 0;
  return cosines;
}();

}  // namespace fixed_point_detail

/// cos(2 pi turn / 2^32) * 2^20, to within 2; exact at quarter turns.
constexpr std::int64_t cosine_fixed(std::uint32_t turn) {
  using fixed_point_detail::quarter_cosines;
  using fixed_point_detail::quarter_steps;
  constexpr std::uint32_t quarter = std::uint32_t{1} << 30;
  // Folds the turn to the first quarter.
  std::uint32_t angle = turn > 2 * quarter ? 0U - turn : turn;
  const bool negative = angle > quarter;
  if (negative) angle = 2 * quarter - angle;
  constexpr std::uint32_t step = quarter / quarter_steps;
  const std::uint32_t place = angle / step;
  std::int64_t cosine = quarter_cosines[place];
  if (angle % step != 0) {
    cosine += (quarter_cosines[place + 1] - cosine) * std::int64_t{angle % step} / step;
  }
  cosine = (cosine + (1 << 9)) >> 10;
  return negative ? -cosine : cosine;
}

}  // namespace twinset

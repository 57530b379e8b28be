// ln(N / df) / ln N >= low is df <= N^(1 - low). The papers print the bounds of their collections,
// and these are such powers of N, rounded to the nearest whole number.
//
// The nearest whole number to N^e is the least d with d + 1/2 > N^e, that is
// log2(2d + 1) - 1 > e log2(N). Equality cannot be: N^e is a whole number or irrational.
//
// This file's interface is stats/nidf.h and nidf() of twinset/lexicon.h; the rest is private.
#include "stats/nidf.h"

#include <bit>
#include <cassert>
#include <cmath>

namespace twinset {
namespace {

constexpr unsigned fraction_bits = 57;

/// log2(x) in units of 2^-57, by squaring the mantissa: each square gives a bit.
std::uint64_t log2_of(std::uint64_t x) {
  std::uint64_t log = std::bit_width(x) - 1U;
  std::uint64_t mantissa = x << std::countl_zero(x);  // in [1, 2), with 63 bits after the point
  for (unsigned i = 0; i < fraction_bits; ++i) {
    const unsigned __int128 square = static_cast<unsigned __int128>(mantissa) * mantissa;
    const bool above_two = (square >> 127) != 0;
    mantissa = static_cast<std::uint64_t>(square >> (above_two ? 64 : 63));
    log = log << 1 | (above_two ? 1 : 0);
  }
  return log;
}

}  // namespace

std::uint64_t nearest_power(std::uint64_t n, const Ratio& exponent) {
  assert(n > 0 && n <= std::uint64_t{1} << 62);
  const unsigned __int128 wanted =
      static_cast<unsigned __int128>(log2_of(n)) * exponent.numerator();
  std::uint64_t below = 0;  // 1/2 does not exceed n^e, which is at least 1
  std::uint64_t above = n;  // n + 1/2 does
  while (above - below > 1) {
    const std::uint64_t middle = below + (above - below) / 2;
    const std::uint64_t log = log2_of(2 * middle + 1) - (std::uint64_t{1} << fraction_bits);
    const bool exceeds = static_cast<unsigned __int128>(log) * exponent.denominator() > wanted;
    (exceeds ? above : below) = middle;
  }
  return above;
}

NidfWindow df_window(std::uint64_t documents, const Ratio& low, const Ratio& high) {
  const auto power_of = [&](const Ratio& nidf) {
    return nearest_power(documents,
                         Ratio(nidf.denominator() - nidf.numerator(), nidf.denominator()));
  };
  return {.low = low, .high = high, .least_df = power_of(high), .most_df = power_of(low)};
}

double nidf(std::uint64_t documents, std::uint64_t df) {
  if (documents < 2 || df == 0) return 0;
  const auto n = static_cast<double>(documents);
  return std::log(n / static_cast<double>(df)) / std::log(n);
}

}  // namespace twinset

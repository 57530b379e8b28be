// Sorting rows in place: by digits if the order begins with a number, else by comparisons.
//
// An order may say which number it begins with:
//
//   struct PairLess {
//     bool operator()(const Pair& a, const Pair& b) const;
//     static std::uint64_t radix(const Pair& pair) { return pair.a.value(); }
//   };
//
// where less(a, b) must imply radix(a) <= radix(b). Such rows are dealt into 256
// piles by the highest byte that differs, each pile by the next byte, and so on
// (American flag sort: McIlroy, Bostic, McIlroy 1993); piles of a few rows, and
// rows of one number, are left to std::sort. About twice as fast on 10^7 rows of
// 16 bytes (bench/rows_bench.cc).
//
// Threads: pure functions.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>

#include "rows/options.h"

namespace twinset {

template <class Less, class Row>
concept HasRadix = requires(const Less& less, const Row& row) {
  { less.radix(row) } -> std::same_as<std::uint64_t>;
};

/// With fewer rows comparisons are faster.
inline constexpr std::size_t radix_least_rows = 128;

/// Sorts rows whose radix() is equal above the low `bits` bits. Recurses at most eight deep.
template <PlainRow Row, class Less>
void radix_sort(std::span<Row> rows, const Less& less, unsigned bits) {
  const unsigned shift = bits > 8 ? bits - 8 : 0;
  const auto digit = [&](const Row& row) {
    return static_cast<std::size_t>(less.radix(row) >> shift & 255);
  };
  std::array<std::size_t, 256> next{};  // Where the pile's next row goes.
  std::array<std::size_t, 256> ends;    // Where the pile ends.
  for (const Row& row : rows) ++next[digit(row)];
  std::size_t sum = 0;
  for (std::size_t pile = 0; pile < 256; ++pile) {
    sum += std::exchange(next[pile], sum);
    ends[pile] = sum;
  }
  // Swap each row that may be out of place into its own pile, in rounds (Skarupke's order: unlike
  // following one row from pile to pile, the swaps do not wait for each other).
  for (bool done = false; !done;) {
    done = true;
    for (std::size_t pile = 0; pile < 256; ++pile) {
      const std::size_t end = ends[pile];
      for (std::size_t i = next[pile]; i < end; ++i) {
        std::swap(rows[i], rows[next[digit(rows[i])]++]);
      }
      done = done && next[pile] == end;
    }
  }
  std::size_t begin = 0;
  for (std::size_t pile = 0; pile < 256; ++pile) {
    const std::span<Row> rest = rows.subspan(begin, ends[pile] - begin);
    begin = ends[pile];
    if (rest.size() < radix_least_rows || shift == 0) {
      std::sort(rest.begin(), rest.end(), std::cref(less));
    } else {
      radix_sort(rest, less, shift);
    }
  }
}

template <PlainRow Row, class Less>
void sort_rows(std::span<Row> rows, const Less& less) {
  if constexpr (HasRadix<Less, Row>) {
    if (rows.size() >= radix_least_rows) {
      std::uint64_t differing = 0;
      const std::uint64_t first = less.radix(rows.front());
      for (const Row& row : rows) differing |= less.radix(row) ^ first;
      if (differing != 0) {
        return radix_sort(rows, less, static_cast<unsigned>(std::bit_width(differing)));
      }
    }
  }
  std::sort(rows.begin(), rows.end(), std::cref(less));
}

}  // namespace twinset

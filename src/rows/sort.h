// Sorting rows in place: by digits if the order begins with a number, else by comparisons.
//
// An order may say which number it begins with:
//
//   struct PairLess {
//     bool operator()(const Pair& a, const Pair& b) const;
//     static std::uint64_t radix(const Pair& pair) { return pair.a.value(); }
//   };
//
// where less(a, b) must imply radix(a) <= radix(b). Such rows are dealt into 256 piles by the
// highest eight bits that differ, in place (American flag sort: McIlroy, Bostic, McIlroy 1993),
// until a pile fits in cache. Its rows are moved to and fro by up to three digits, the lowest
// first, as many as tell so many rows apart; those that they do not tell apart are few, and sorted
// by the rest. About three times as fast as std::sort on 10^7 rows of 16 bytes, adding and reading
// them included (bench/rows_bench.cc).
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
#include <vector>

#include "rows/options.h"

namespace twinset {

template <class Less, class Row>
concept HasRadix = requires(const Less& less, const Row& row) {
  { less.radix(row) } -> std::same_as<std::uint64_t>;
};

/// With fewer rows comparisons are faster.
inline constexpr std::size_t radix_least_rows = 64;

template <PlainRow Row, class Less>
class RadixSorter {
 public:
  explicit RadixSorter(const Less& less) : less_(less) {}

  /// Recurses at most eight deep.
  void sort(std::span<Row> rows) {
    if (rows.size() < radix_least_rows) return compare(rows);
    std::uint64_t differing = 0;
    const std::uint64_t first = less_.radix(rows.front());
    for (const Row& row : rows) differing |= less_.radix(row) ^ first;
    if (differing == 0) return compare(rows);
    if (rows.size() <= most_moved) return move_by_digits(rows, differing);
    deal(rows, below_top(differing));
  }

 private:
  static constexpr unsigned digit_bits = 8;
  static constexpr std::size_t piles = std::size_t{1} << digit_bits;
  static constexpr std::size_t most_digits = 3;
  /// Rows that fit, with their copies, in a core's cache.
  static constexpr std::size_t most_moved = (std::size_t{512} << 10) / sizeof(Row);

  /// Where the digit begins that ends with the highest one of `bits`, which is not 0.
  static unsigned below_top(std::uint64_t bits) {
    const auto width = static_cast<unsigned>(std::bit_width(bits));
    return width > digit_bits ? width - digit_bits : 0;
  }
  std::size_t digit(const Row& row, unsigned shift) const {
    return static_cast<std::size_t>(less_.radix(row) >> shift & (piles - 1));
  }
  void compare(std::span<Row> rows) { std::sort(rows.begin(), rows.end(), std::cref(less_)); }

  /// Sorts by the digits that hold the highest of the `differing` bits, then what they leave equal.
  void move_by_digits(std::span<Row> rows, std::uint64_t differing) {
    std::array<unsigned, most_digits> shifts{};
    std::size_t digits = 0;
    const auto wanted_bits = static_cast<unsigned>(std::bit_width(rows.size())) + 1;
    unsigned bits = 0;
    std::uint64_t rest = differing;
    for (; rest != 0 && digits < most_digits && bits < wanted_bits; ++digits) {
      const unsigned shift = shifts[digits] = below_top(rest);
      bits += static_cast<unsigned>(std::popcount(rest >> shift));
      rest &= (std::uint64_t{1} << shift) - 1;
    }
    std::array<std::array<std::uint32_t, piles>, most_digits> next{};
    for (const Row& row : rows) {
      for (std::size_t i = 0; i < digits; ++i) ++next[i][digit(row, shifts[i])];
    }
    moved_.resize(std::max(moved_.size(), rows.size()));
    std::span<Row> from = rows;
    std::span<Row> to = std::span(moved_).first(rows.size());
    for (std::size_t i = digits; i-- > 0;) {
      std::uint32_t sum = 0;
      for (std::uint32_t& pile : next[i]) sum += std::exchange(pile, sum);
      for (const Row& row : from) to[next[i][digit(row, shifts[i])]++] = row;
      std::swap(from, to);
    }
    if (from.data() != rows.data()) std::ranges::copy(from, rows.begin());
    const unsigned lowest = shifts[digits - 1];
    for (std::size_t begin = 0; begin < rows.size();) {
      const std::uint64_t high = less_.radix(rows[begin]) >> lowest;
      std::size_t end = begin + 1;
      while (end < rows.size() && less_.radix(rows[end]) >> lowest == high) ++end;
      if (end - begin > 1) sort(rows.subspan(begin, end - begin));
      begin = end;
    }
  }

  void deal(std::span<Row> rows, unsigned shift) {
    std::array<std::size_t, piles> next{};  // Where the pile's next row goes.
    std::array<std::size_t, piles> ends;    // Where the pile ends.
    for (const Row& row : rows) ++next[digit(row, shift)];
    std::size_t sum = 0;
    for (std::size_t pile = 0; pile < piles; ++pile) {
      sum += std::exchange(next[pile], sum);
      ends[pile] = sum;
    }
    // Swap each row that may be out of place into its own pile, in rounds (Skarupke's order: unlike
    // following one row from pile to pile, the swaps do not wait for each other).
    for (bool done = false; !done;) {
      done = true;
      for (std::size_t pile = 0; pile < piles; ++pile) {
        const std::size_t end = ends[pile];
        for (std::size_t i = next[pile]; i < end; ++i) {
          std::swap(rows[i], rows[next[digit(rows[i], shift)]++]);
        }
        done = done && next[pile] == end;
      }
    }
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      sort(rows.subspan(begin, end - begin));
      begin = end;
    }
  }

  const Less& less_;
  std::vector<Row> moved_;  ///< at most most_moved
};

template <PlainRow Row, class Less>
void sort_rows(std::span<Row> rows, const Less& less) {
  if constexpr (HasRadix<Less, Row>) {
    RadixSorter<Row, Less>(less).sort(rows);
  } else {
    std::sort(rows.begin(), rows.end(), std::cref(less));
  }
}

}  // namespace twinset

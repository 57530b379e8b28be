// Grouping rows by their key in cache: which keys are held once, and the rows of
// the others, group by group.
//
// Most keys of a join are held by one row. SeenKeys tells them apart without a
// sort: two bits a slot say "seen once" and "seen twice" of all keys that hash
// there, and a row whose slot was seen once only is alone. What is left, a few
// per cent of chance meetings included, is sorted and streamed by GroupStream.
//
// Threads: one at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "rows/merge.h"
#include "rows/options.h"
#include "twinset/result.h"

namespace twinset {

/// A row's key: its first 8 bytes.
template <PlainRow Row>
std::uint64_t row_key(const Row& row) {
  static_assert(sizeof(Row) >= sizeof(std::uint64_t));
  std::uint64_t key;
  std::memcpy(&key, &row, sizeof key);
  return key;
}

class SeenKeys {
 public:
  /// Bytes for `rows` rows: at least 8 slots of 2 bits each, so that a key held
  /// once meets another in at most 12 % of cases.
  static constexpr std::uint64_t bytes_needed(std::uint64_t rows) { return slots(rows) / 4; }

  /// Over `words`, of bytes_needed(rows) bytes, cleared here.
  SeenKeys(std::uint64_t* words, std::uint64_t rows, std::uint64_t multiplier)
      : words_(words),
        shift_(64 - static_cast<unsigned>(std::countr_zero(slots(rows)))),
        multiplier_(multiplier) {
    std::memset(words, 0, static_cast<std::size_t>(bytes_needed(rows)));
  }

  template <PlainRow Row>
  void mark(std::span<const Row> rows) {
    for (const Row& row : rows) {
      const std::uint64_t slot = slot_of(row_key(row));
      std::uint64_t& word = words_[slot >> 5];
      const std::uint64_t once = std::uint64_t{1} << (slot & 31);
      word |= (word & once) << 32 | once;
    }
  }

  /// Moves the rows that may share their key to the front and counts them.
  template <PlainRow Row>
  std::size_t keep_shared(std::span<Row> rows) const {
    std::size_t kept = 0;
    for (const Row& row : rows) {
      const std::uint64_t slot = slot_of(row_key(row));
      rows[kept] = row;  // Without a branch: few of them would be foreseen.
      kept += words_[slot >> 5] >> (32 + (slot & 31)) & 1;
    }
    return kept;
  }

 private:
  static constexpr std::uint64_t slots(std::uint64_t rows) {
    return std::bit_ceil(std::max<std::uint64_t>(8 * rows, 64));
  }
  std::uint64_t slot_of(std::uint64_t key) const { return key * multiplier_ >> shift_; }

  std::uint64_t* words_;
  unsigned shift_;
  std::uint64_t multiplier_;
};

/// (key, Less): the order in which rows are grouped.
template <PlainRow Row, class Less>
struct KeyThenLess {
  Less less;
  bool operator()(const Row& a, const Row& b) const {
    const std::uint64_t key_a = row_key(a);
    const std::uint64_t key_b = row_key(b);
    return key_a != key_b ? key_a < key_b : less(a, b);
  }
  static std::uint64_t radix(const Row& row) { return row_key(row); }
};

/// Takes rows in the order of KeyThenLess and gives the visitor those whose key
/// two or more different rows hold, equal rows once. Holds one row.
template <PlainRow Row, class Less, class Visitor>
class GroupStream {
 public:
  GroupStream(const Less& less, Visitor& visitor) : less_(less), visitor_(visitor) {}

  Status add(const Row& row) {
    if (holding_) {
      if (row_key(row) != row_key(held_)) {
        TWINSET_TRY(end());
      } else if (!less_(held_, row)) {
        DropEqual{}(held_, row);
        return {};
      } else {
        TWINSET_TRY(emit());
      }
    }
    held_ = row;
    holding_ = true;
    return {};
  }

  /// Ends the last group.
  Status end() {
    const bool last_of_group = std::exchange(holding_, false) && in_group_;
    if (last_of_group) TWINSET_TRY(emit());
    in_group_ = false;
    return {};
  }

 private:
  Status emit() { return visitor_.row(std::as_const(held_), !std::exchange(in_group_, true)); }

  const Less& less_;
  Visitor& visitor_;
  Row held_{};
  bool holding_ = false;
  bool in_group_ = false;
};

}  // namespace twinset

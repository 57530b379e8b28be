// Grouping rows by their key in cache: finds the keys held once, and streams the rows of the others
// group by group.
//
// Most keys of a join are held by one row. SeenKeys tells them apart without a
// sort: two bits a slot say "seen once" and "seen twice" of all keys that hash there, and a row
// whose slot was seen once is alone. The rest, a few per cent of collisions included, is sorted and
// streamed by GroupStream.
//
// Threads: one at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "rows/key.h"
#include "rows/merge.h"
#include "twinset/result.h"

namespace twinset {

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

  template <Keyed Row>
  void mark(std::span<const Row> rows) {
    for (const Row& row : rows) {
      const std::uint64_t slot = slot_of(first_word(row.key));
      std::uint64_t& word = words_[slot >> 5];
      const std::uint64_t once = std::uint64_t{1} << (slot & 31);
      word |= (word & once) << 32 | once;
    }
  }

  /// Moves the rows that may share their key to the front and counts them.
  template <Keyed Row>
  std::size_t keep_shared(std::span<Row> rows) const {
    std::size_t kept = 0;
    for (const Row& row : rows) {
      const std::uint64_t slot = slot_of(first_word(row.key));
      rows[kept] = row;  // Without a branch, which would often be mispredicted.
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

/// The keys that a visitor sees.
enum class Groups : std::uint8_t {
  shared,  ///< keys of two or more different rows
  all      ///< every key: one that a single row holds is a group, too
};

/// Takes rows in the order of KeyThenLess and gives the visitor the groups it wants, one of
/// equal rows. Holds one row.
template <Keyed Row, class Less, class Visitor>
class GroupStream {
 public:
  GroupStream(Groups groups, const Less& less, Visitor& visitor)
      : groups_(groups), less_(less), visitor_(visitor) {}

  Status add(const Row& row) {
    if (holding_) {
      if (row.key != held_.key) {
        TWINSET_TRY(end());
      } else if (!less_(held_, row)) {
        keep_least(held_, row);
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
    if (std::exchange(holding_, false) && (in_group_ || groups_ == Groups::all)) {
      TWINSET_TRY(emit());
    }
    in_group_ = false;
    return {};
  }

 private:
  Status emit() { return visitor_.row(std::as_const(held_), !std::exchange(in_group_, true)); }

  Groups groups_;
  const Less& less_;
  Visitor& visitor_;
  Row held_{};
  bool holding_ = false;
  bool in_group_ = false;
};

}  // namespace twinset

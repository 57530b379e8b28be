// The key of a row, by which rows are brought together: a uniform hash of 64 bits, or of 128
// where equal keys must mean equal things.
//
//   struct TextRow {
//     Key128 key;               // a member of this name makes a row Keyed
//     DocumentId document;
//     std::uint64_t signature;  // payload: whatever else a group should see
//   };
//
// The top bits of the first word choose a partition; the whole key makes a group.
//
// Threads: values.
#pragma once

#include <concepts>
#include <cstdint>

#include "base/hash.h"
#include "rows/options.h"

namespace twinset {

using Key128 = Fingerprint;

template <class Key>
concept RowKey = std::same_as<Key, std::uint64_t> || std::same_as<Key, Key128>;

template <class Row>
concept Keyed = PlainRow<Row> && RowKey<decltype(Row::key)>;

constexpr std::uint64_t first_word(std::uint64_t key) { return key; }
constexpr std::uint64_t first_word(const Key128& key) { return key.high; }

/// Orders rows by key and then by `Less`.
template <Keyed Row, class Less>
struct KeyThenLess {
  Less less;
  bool operator()(const Row& a, const Row& b) const {
    return a.key != b.key ? a.key < b.key : less(a, b);
  }
  static std::uint64_t radix(const Row& row) { return first_word(row.key); }
};

/// Treats all rows of a key as equal, so they are merged into one.
struct AllEqual {
  template <class Row>
  bool operator()(const Row&, const Row&) const {
    return false;
  }
};

/// Orders rows by key alone.
template <Keyed Row>
using KeyLess = KeyThenLess<Row, AllEqual>;

}  // namespace twinset

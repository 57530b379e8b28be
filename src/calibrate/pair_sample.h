// An even sample of the pairs that a run finds, however many these are: of each length, value and
// half so many pairs as are asked for.
//
//   PairSample sample(8, {.most = 1000, .seed = 1});
//   sample.add(later, earlier, tokens, 0b1100);   // at its values, each once, in any order
//   sample.found(2, 7);                           // pairs of the third length at the value 7
//   DrawnPairs drawn = std::move(sample).take();
//
// A keyed hash of a pair ranks it and gives it to a half; each length, value and half keeps the
// pairs of the lowest ranks among all that are found there. So they are drawn without replacement,
// with the same chance for each, whatever the documents say: a share of them is a share of the
// pairs of that length and value, and counts independent draws. The pairs of several lengths
// together are drawn in the same way.
//
// Threads: belongs to one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "calibrate/choice.h"

namespace twinset {

struct DrawnPair {
  std::uint64_t rank = 0;  ///< its lowest bit is the half
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint8_t length = 0;  ///< of the shorter document: a token_class()
  std::uint32_t found = 0;  ///< bit i: found, or kept as found, at value i
  bool same = false;

  std::size_t half() const { return rank & 1; }
};

/// The pairs of a length at a value: by length, then by value.
using FoundByLength = std::array<std::vector<std::uint64_t>, token_classes>;

struct DrawnPairs {
  std::vector<DrawnPair> pairs;  ///< by a, then by b
  FoundByLength found;           ///< of all pairs
  std::uint64_t most = 0;        ///< of a length, value and half; others are drawn for another one
};

struct PairSampleOptions {
  std::uint64_t most = 1000;  ///< pairs of each length, value and half
  std::uint64_t seed = 1;
};

class PairSample {
 public:
  PairSample(std::size_t values, const PairSampleOptions& options);

  /// `tokens` are those of the shorter document; bit i of `found`: the pair is found at value i. A
  /// pair may be added again with other values.
  void add(std::uint32_t a, std::uint32_t b, std::uint64_t tokens, std::uint32_t found);
  std::uint64_t found(std::size_t length, std::size_t value) const { return found_[length][value]; }
  DrawnPairs take() &&;

  /// The most bytes that a sample holds while it is made and taken.
  static std::uint64_t bytes_needed(std::size_t values, std::uint64_t most);

 private:
  /// The pairs of the lowest ranks, the highest of them first.
  using Lowest = std::vector<DrawnPair>;
  Lowest& lowest(std::size_t length, std::size_t value, std::size_t half) {
    return lowest_[(length * values_ + value) * 2 + half];
  }

  std::size_t values_;
  PairSampleOptions options_;
  FoundByLength found_;
  std::vector<Lowest> lowest_;
};

}  // namespace twinset

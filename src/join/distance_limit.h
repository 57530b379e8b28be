// The most bits in which the signatures of two documents may differ, which may depend on the length
// of the shorter one: a changed word moves more bits of a short document (S-31).
//
//   DistanceLimit::parse("3");            // 3 for all
//   DistanceLimit::parse("100:2,3");      // 2 if the shorter has fewer than 100 tokens, else 3
//
// Threads: values.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "join/hamming_plan.h"
#include "twinset/result.h"

namespace twinset {

class DistanceLimit {
 public:
  explicit DistanceLimit(std::uint32_t bits = usual_join_distance) : longest_(bits) {}
  /// TOKENS:BITS, TOKENS:BITS, ..., BITS, with rising TOKENS; empty is the usual distance. Error
  /// (usage): anything else, or a distance above max_join_distance.
  static Result<DistanceLimit> parse(std::string_view text);

  bool depends_on_length() const { return !shorter_.empty(); }
  std::uint32_t of(std::uint64_t shorter_tokens) const;
  /// The largest, at any length.
  std::uint32_t most() const;

 private:
  struct Class {
    std::uint64_t below_tokens = 0;
    std::uint32_t bits = 0;
  };
  std::vector<Class> shorter_;  ///< rising
  std::uint32_t longest_;       ///< of all others
};

}  // namespace twinset

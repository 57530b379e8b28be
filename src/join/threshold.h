// From which numbers on two documents are a pair: a Threshold judges exact ones of dedup,
// where the later document must be the contained one; a PairFloor those of cluster, where
// either may be, and which may be estimates: it grants errors, or wants a least of keys.
//
//   Threshold{{4, 5}, {}}.reached_by({.shared = 8, .later = 9, .earlier = 9});   // 8 of 10
//
// Threads: values.
#pragma once

#include <cstdint>
#include <optional>

#include "join/overlap.h"
#include "twinset/ratio.h"

namespace twinset {

/// Reached by resemblance, or by containment of the later document in the earlier one.
struct Threshold {
  Ratio resemblance{4, 5};
  std::optional<Ratio> containment;

  bool resembles(const Overlap& overlap) const {
    return resemblance.reached_by(overlap.shared, overlap.all());
  }
  bool contained(const Overlap& overlap) const {
    return containment.has_value() && containment->reached_by(overlap.shared, overlap.later);
  }
  bool reached_by(const Overlap& overlap) const { return resembles(overlap) || contained(overlap); }
  /// The least number of shared shingles that makes an edge of sets so large.
  std::uint32_t needed_shared(std::uint32_t later, std::uint32_t earlier) const;
};

/// Which pairs are kept: those that reach either. 0 keeps every pair that is counted.
struct PairFloor {
  Ratio resemblance{0, 1};
  /// Of either document in the other.
  std::optional<Ratio> containment;
  /// How many standard errors below these an estimate still counts as reaching them:
  /// what is kept so, the texts decide.
  double granted_errors = 0;
  /// With containment, pairs are believed from so many shared keys on. Of a short document one
  /// key may be all there is: two that share it need not share anything else.
  std::uint32_t least_keys = 1;

  bool reached_by(const Overlap& keys) const;
  /// Does it fail only because it rests on too few keys?
  bool too_few_keys(const Overlap& keys) const;
  /// The least of shared keys that reaches the resemblance where one of the samples
  /// has so many; 1 at least: none is no pair.
  std::uint32_t least_shared(std::uint32_t keys) const;
};

}  // namespace twinset

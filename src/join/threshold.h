// The thresholds of a pair. A Threshold judges exact numbers for dedup, where the later
// document must be the contained one. A PairFloor judges numbers for cluster, where either
// may be contained. They may be estimates: it can grant errors or require shared keys.
//
//   Threshold{{4, 5}, {}}.reached_by({.shared = 8, .later = 9, .earlier = 9});   // 8 of 10
//
// Threads: values.
#pragma once

#include <cstdint>
#include <optional>

#include "join/distance_limit.h"
#include "join/link.h"
#include "twinset/ratio.h"

namespace twinset {

/// Reached by resemblance, or by containment of the later document in the earlier one; by links of
/// other kinds if the distance is small enough or the signatures are equal.
struct Threshold {
  Ratio resemblance{4, 5};
  std::optional<Ratio> containment;
  std::optional<DistanceLimit> distance{};

  bool resembles(const Overlap& overlap) const {
    return resemblance.reached_by(overlap.shared, overlap.all());
  }
  bool contained(const Overlap& overlap) const {
    return containment.has_value() && containment->reached_by(overlap.shared, overlap.later);
  }
  bool reached_by(const Overlap& overlap) const { return resembles(overlap) || contained(overlap); }
  /// `shorter_tokens`: of the shorter document, if the distance depends on it.
  bool reached_by(const Link& link, std::uint64_t shorter_tokens = 0) const;
  /// The fewest shared shingles that make an edge of sets of these sizes.
  std::uint32_t needed_shared(std::uint32_t later, std::uint32_t earlier) const;
};

/// Keeps the pairs that reach either share. A share of 0 keeps every counted pair. If the numbers
/// are not those of sets, keeps the pairs within the distance, and all of equal signatures or keys.
struct PairFloor {
  Ratio resemblance{0, 1};
  /// Containment of either document in the other.
  std::optional<Ratio> containment;
  /// Estimates may be so many standard errors lower; then the texts decide.
  double granted_errors = 0;
  /// With containment a pair needs so many shared keys: a short document may have a single
  /// key, and two documents that share it may share nothing else.
  std::uint32_t least_keys = 1;
  LinkKind kind = LinkKind::keys;  ///< of the numbers
  std::uint32_t distance = 0;      ///< the most bits that may differ, if the numbers are distances

  bool reached_by(const Overlap& keys) const;
  /// Are the documents of these numbers equal in the scheme's sense, as copies are?
  bool equal(const Overlap& keys) const { return kind == LinkKind::distance && keys.shared == 0; }
  /// Does the pair fail only because it shares too few keys?
  bool too_few_keys(const Overlap& keys) const;
  /// The fewest shared keys that can reach the resemblance if one sample has so many keys;
  /// at least 1.
  std::uint32_t least_shared(std::uint32_t keys) const;
};

}  // namespace twinset

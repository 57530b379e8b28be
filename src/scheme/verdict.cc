// The only place that holds a comparison of sketches against thresholds, whichever of the kinds it
// tells.
//
// This file's interface is verdict() and shares_a_key() in twinset/scheme.h; the rest is private.
#include "scheme/overlap.h"
#include "twinset/scheme.h"

namespace twinset {
namespace {

/// Of one asked share and its estimate; unknown if there is none.
Verdict judge(const std::optional<Estimate>& estimate, const Ratio& share, double granted_errors) {
  if (!estimate.has_value()) return Verdict::unknown;
  const std::uint64_t least =
      std::uint64_t{share.numerator()} * estimate_scale / share.denominator();
  if (estimate_units(estimate->value) >= least) return Verdict::reached;
  const double granted = granted_errors * estimate->standard_error;
  const bool nearly = granted > 0 && estimate->value >= share.value() - granted;
  return nearly ? Verdict::reached : Verdict::below;
}

}  // namespace

Verdict verdict(const Comparison& comparison, const PairThreshold& threshold) {
  if (const auto& distance = comparison.distance; distance.has_value()) {
    return distance->differ <= threshold.distance ? Verdict::reached : Verdict::below;
  }
  if (comparison.coordinate.has_value()) return Verdict::reached;
  Verdict all = Verdict::below;
  const auto ask = [&](const std::optional<Estimate>& estimate, const std::optional<Ratio>& share) {
    if (!share.has_value() || all == Verdict::reached) return;
    const Verdict one = judge(estimate, *share, threshold.granted_errors);
    if (one != Verdict::below) all = one;
  };
  ask(comparison.resemblance, threshold.resemblance);
  ask(comparison.containment_a_in_b, threshold.containment);
  ask(comparison.containment_b_in_a, threshold.containment);
  return all;
}

bool shares_a_key(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  auto other = b.begin();
  for (const std::uint64_t key : a) {
    while (other != b.end() && *other < key) ++other;
    if (other == b.end()) return false;
    if (*other == key) return true;
  }
  return false;
}

}  // namespace twinset

// Thresholds are compared in integers; only errors granted to estimates are doubles. The numbers of
// sketches are judged by verdict(), as everywhere.
#include "join/threshold.h"

#include <algorithm>
#include <cmath>

namespace twinset {
namespace {

/// Smallest p with p * denominator >= numerator * whole.
std::uint64_t least_part(const Ratio& ratio, std::uint64_t whole) {
  return (whole * ratio.numerator() + ratio.denominator() - 1) / ratio.denominator();
}

/// The least part of `whole` that reaches a share, or falls short of it by at most so many standard
/// errors of a sampled share.
double least_granted(const Ratio& share, double whole, double granted_errors) {
  const double value = share.value();
  // Above one half the low tail is the longer one (Cornish and Fisher's first term).
  const double skew = std::max(0.0, 2 * value - 1) * (granted_errors * granted_errors - 1) / 6;
  return whole * value - granted_errors * std::sqrt(whole * value * (1 - value)) - skew;
}

bool reaches(const Ratio& share, std::uint64_t part, std::uint64_t whole, double granted_errors) {
  if (share.reached_by(part, whole)) return true;
  return granted_errors > 0 && static_cast<double>(part) >=
                                   least_granted(share, static_cast<double>(whole), granted_errors);
}

}  // namespace

bool Threshold::reached_by(const Link& link, std::uint64_t shorter_tokens) const {
  if (link.counts()) return reached_by(link.numbers);
  if (link.kind == LinkKind::distance && !distance.has_value()) return false;
  const std::uint32_t bits = distance.has_value() ? distance->of(shorter_tokens) : 0;
  return verdict(comparison_of(link), {.resemblance = resemblance, .distance = bits}) ==
         Verdict::reached;
}

std::uint32_t Threshold::needed_shared(std::uint32_t later, std::uint32_t earlier) const {
  // shared >= t * (later + earlier - shared)  <=>  shared * (1 + t) >= t * (later + earlier)
  const std::uint64_t both = std::uint64_t{later} + earlier;
  const std::uint64_t scale = std::uint64_t{resemblance.denominator()} + resemblance.numerator();
  std::uint64_t needed = (both * resemblance.numerator() + scale - 1) / scale;
  if (containment.has_value()) needed = std::min(needed, least_part(*containment, later));
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(needed, UINT32_MAX));
}

bool PairFloor::reached_by(const Overlap& keys) const {
  if (kind == LinkKind::nothing) return true;
  if (kind != LinkKind::shingles && kind != LinkKind::keys) {
    return verdict(comparison_of(Link::read(kind, keys)),
                   {.resemblance = resemblance, .distance = distance}) == Verdict::reached;
  }
  if (containment.has_value() && keys.shared < least_keys) return false;
  if (reaches(resemblance, keys.shared, keys.all(), granted_errors)) return true;
  return containment.has_value() &&
         reaches(*containment, keys.shared, std::min(keys.later, keys.earlier), granted_errors);
}

bool PairFloor::too_few_keys(const Overlap& keys) const {
  if (keys.shared >= least_keys || reached_by(keys)) return false;
  PairFloor any = *this;
  any.least_keys = 1;
  return any.reached_by(keys);
}

std::uint32_t PairFloor::least_shared(std::uint32_t keys) const {
  // Both samples together have at least so many keys, and a larger union needs more shared keys.
  if (granted_errors > 0) {
    const double least = std::floor(least_granted(resemblance, keys, granted_errors));
    return least < 1 ? 1 : static_cast<std::uint32_t>(least);
  }
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(least_part(resemblance, keys), 1));
}

}  // namespace twinset

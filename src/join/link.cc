#include "join/link.h"

namespace twinset {

std::optional<Link> link_of(const Comparison& comparison) {
  if (const auto& distance = comparison.distance) {
    return Link::far(distance->differ, distance->bits);
  }
  if (const auto& coordinate = comparison.coordinate) return Link::same_signature(*coordinate);
  if (const auto& estimate = comparison.resemblance) {
    return Link::estimated(estimate->value, estimate->standard_error);
  }
  return std::nullopt;
}

Comparison comparison_of(const Link& link) {
  Comparison comparison;
  const Overlap& numbers = link.numbers;
  if (link.kind == LinkKind::distance) {
    comparison.distance = BitDistance{numbers.shared, numbers.later};
  } else if (link.kind == LinkKind::signature) {
    comparison.coordinate = numbers.shared;
  } else if (link.kind == LinkKind::estimate) {
    const double estimate = link.resemblance();
    comparison.resemblance = Estimate{{estimate, estimate, estimate}, link.standard_error()};
  }
  return comparison;
}

}  // namespace twinset

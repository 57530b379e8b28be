#include "join/link.h"

#include "scheme/estimate.h"

namespace twinset {

std::optional<Interval> Link::interval() const {
  if (kind == LinkKind::keys) return exact_interval(numbers.shared, numbers.all());
  if (!estimated() || numbers.later == 0) return std::nullopt;
  // The sample whose standard error, with one success and one failure more, is this one.
  const double value = resemblance();
  const auto error_of = [value](double sample) {
    const double inward = (value * sample + 1) / (sample + 2);
    return std::sqrt(inward * (1 - inward) / sample);
  };
  double low = 0;
  double high = estimate_scale;
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (low + high) / 2;
    (error_of(middle) > standard_error() ? low : high) = middle;
  }
  return wilson_interval(value * low, low);
}

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

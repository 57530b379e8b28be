// The Wilson score interval (Wilson 1927): the proportions p for which the
// observed share lies within z standard errors of p, solved for p.
#include "eval/share.h"

#include <algorithm>
#include <cmath>

namespace twinset {

namespace {
/// The normal quantile of a two-sided 95 % interval.
constexpr double z_95 = 1.959963984540054;
}  // namespace

Interval Share::interval() const {
  if (of == 0) return {};
  const double n = static_cast<double>(of);
  const double p = value();
  const double z2 = z_95 * z_95;
  const double center = (p + z2 / (2 * n)) / (1 + z2 / n);
  const double half = z_95 / (1 + z2 / n) * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
  return {count == 0 ? 0 : std::max(0.0, center - half),
          count == of ? 1 : std::min(1.0, center + half)};
}

}  // namespace twinset

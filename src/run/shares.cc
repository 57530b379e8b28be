// This file's interface is run/shares.h.
#include "run/shares.h"

#include "base/message.h"

namespace twinset {

Status check_shares(const Ratio& resemblance, const std::optional<Ratio>& containment,
                    const std::optional<Ratio>& floor) {
  if (resemblance.numerator() == 0) {
    return usage_error(option("resemblance", "0") + " would make everything a copy of everything");
  }
  if (containment.has_value() && containment->numerator() == 0) {
    return usage_error(option("containment", "0") + " would make everything part of everything");
  }
  if (floor.has_value() && floor->value() > resemblance.value()) {
    return usage_error(option("floor", floor->text()) + " is above " +
                       option("resemblance", resemblance.text()) +
                       ": pairs of the clusters would be missing");
  }
  return {};
}

std::uint32_t least_keys(const Scheme& scheme, Check check) {
  constexpr std::uint32_t of_estimates = 9;
  return check == Check::sketch && scheme.facts().key_chance < 1 ? of_estimates : 1;
}

}  // namespace twinset

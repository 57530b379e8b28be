// This file's interface is cluster/shares.h.
#include "cluster/shares.h"

#include "base/message.h"

namespace twinset {

Status check_shares(const ClusterOptions& options) {
  if (options.resemblance.numerator() == 0) {
    return usage_error(option("resemblance", "0") + " would make everything a copy of everything");
  }
  if (options.containment.has_value() && options.containment->numerator() == 0) {
    return usage_error(option("containment", "0") + " would make everything part of everything");
  }
  if (options.floor.has_value() && options.floor->value() > options.resemblance.value()) {
    return usage_error(option("floor", options.floor->text()) + " is above " +
                       option("resemblance", options.resemblance.text()) +
                       ": pairs of the clusters would be missing");
  }
  return {};
}

}  // namespace twinset

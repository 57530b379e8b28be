// Checks of the shares that cluster joins by, whatever it reads.
//
// Threads: pure functions.
#pragma once

#include "twinset/cluster.h"
#include "twinset/result.h"

namespace twinset {

/// Error (usage): a share of nothing, or a floor above the threshold.
Status check_shares(const ClusterOptions& options);

}  // namespace twinset

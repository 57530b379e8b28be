// The guard before counting: two documents under one key are a meeting, and their number
// is known before a single one is looked at.
//
//   TWINSET_TRY(check_meetings(groups.report(), options.max_group, options.max_meetings));
//
// Threads: a pure function.
#pragma once

#include <cstdint>

#include "join/shared_keys.h"
#include "twinset/result.h"

namespace twinset {

/// Error (usage) if documents meet more than `max_meetings` times. It says which smaller
/// --max-group leaves how many. `max_group` is the one that was gathered with.
Status check_meetings(const GroupReport& found, std::uint64_t max_group,
                      std::uint64_t max_meetings);

}  // namespace twinset

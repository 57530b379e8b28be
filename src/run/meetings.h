// The guard before counting: two documents under one key are a meeting, and the number of meetings
// is known before counting begins.
//
//   TWINSET_TRY(check_meetings(groups.report(), options.max_group, options.max_meetings));
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string_view>

#include "join/shared_keys.h"
#include "twinset/result.h"

namespace twinset {

/// Error (usage) if there are more than `max_meetings` meetings. It names the remedy.
Status check_meetings(std::uint64_t meetings, std::uint64_t max_meetings, std::string_view remedy);

/// The same for gathered keys. The remedies are a coarser modulus or a smaller --max-group, with
/// the number of meetings that it leaves. `max_group` is the one used for gathering.
Status check_meetings(const GroupReport& found, std::uint64_t max_group,
                      std::uint64_t max_meetings);

}  // namespace twinset

#include "run/meetings.h"

#include <fmt/format.h>

#include <string>

#include "base/message.h"
#include "words/numbers.h"

namespace twinset {

Status check_meetings(std::uint64_t meetings, std::uint64_t max_meetings, std::string_view remedy) {
  if (meetings <= max_meetings) return {};
  return usage_error(fmt::format(
      "documents meet {} times under the keys they share, more than {}; {}", format_count(meetings),
      option("max_meetings", format_count(max_meetings)), remedy));
}

Status check_meetings(const GroupReport& found, std::uint64_t max_group,
                      std::uint64_t max_meetings) {
  if (found.meetings <= max_meetings) return {};
  std::string ways;
  std::uint64_t before = found.meetings;
  for (const std::uint64_t group : {1000, 500, 200, 100, 50, 20, 10, 5, 2}) {
    if (max_group != 0 && group >= max_group) continue;
    const std::uint64_t meetings = found.meetings_under(group);
    if (meetings == before) continue;
    before = meetings;
    ways += fmt::format("{} would leave {}, ", option("max_group", std::to_string(group)),
                        format_count(meetings));
    if (meetings <= max_meetings) break;
  }
  return check_meetings(found.meetings, max_meetings, ways + "a coarser modulus has fewer keys");
}

}  // namespace twinset

// The fields of what detection found.
//
// Threads: pure functions.
#pragma once

#include <string_view>
#include <vector>

#include "twinset/field.h"
#include "twinset/reuse.h"

namespace twinset {

std::string_view badness_name(Badness badness);

/// Lines of the folder's lists.
std::vector<Field> page_line_fields(DetectedPage& page);
std::vector<Field> neighborhood_line_fields(DetectedNeighborhood& neighborhood);

/// The last line of what is printed as JSON.
std::vector<Field> totals_fields(DetectSummary& summary, Badness by);

}  // namespace twinset

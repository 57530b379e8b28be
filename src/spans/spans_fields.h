// The fields of what spans found.
//
// Threads: pure functions.
#pragma once

#include <vector>

#include "twinset/field.h"
#include "twinset/spans.h"

namespace twinset {

/// What summary.json has, without the options.
std::vector<Field> fields_of(SpansSummary& summary);

}  // namespace twinset

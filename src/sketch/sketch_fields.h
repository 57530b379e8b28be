// The fields of what sketch and join made.
//
// Threads: pure functions.
#pragma once

#include <vector>

#include "twinset/field.h"
#include "twinset/sketch.h"

namespace twinset {

std::vector<Field> fields_of(SketchSummary& summary);
std::vector<Field> fields_of(JoinSummary& summary);

}  // namespace twinset

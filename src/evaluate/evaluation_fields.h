// The fields of a share, which a calibration has, too.
//
// Threads: pure functions.
#pragma once

#include <vector>

#include "twinset/evaluate.h"
#include "twinset/field.h"

namespace twinset {

/// Its value and interval are left out if the total is 0.
std::vector<Field> fields_of(Share& share);

}  // namespace twinset

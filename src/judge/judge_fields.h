// The fields of the first line of a judged file.
//
// Threads: pure functions.
#pragma once

#include <vector>

#include "judge/judged_file.h"
#include "twinset/field.h"

namespace twinset {

/// To read them `header.kind` must be set: it names a number.
std::vector<Field> fields_of(JudgedHeader& header);

}  // namespace twinset

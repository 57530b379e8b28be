// The fields of what dedup found.
//
// Threads: pure functions.
#pragma once

#include <vector>

#include "twinset/dedup.h"
#include "twinset/field.h"

namespace twinset {

std::vector<Field> fields_of(Counts& counts);
std::vector<Field> fields_of(FileCounts& file);

/// The records among them, as every verb counts them.
RecordCounts counts_of(const Counts& total);

}  // namespace twinset

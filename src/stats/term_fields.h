// The fields of a table of terms, as its file holds them.
//
// Threads: pure functions.
#pragma once

#include <vector>

#include "twinset/field.h"
#include "twinset/lexicon.h"

namespace twinset {

/// The JSON of a file; what the file says elsewhere is not in it.
std::vector<Field> stored_fields(TermTable& table);

}  // namespace twinset

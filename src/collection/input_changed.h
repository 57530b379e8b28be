// The error of a run that finds that an input has changed since it read it.
//
// Threads: a pure function.
#pragma once

#include "collection/collection.h"
#include "twinset/result.h"

namespace twinset {

/// Error (io) with input_changed set: the run's checkpoint cannot be continued.
Error input_changed(const Source& source);

}  // namespace twinset

// How a run ends that finds an input other than it had read it.
//
// Threads: a pure function.
#pragma once

#include "io/reader.h"
#include "twinset/result.h"

namespace twinset {

/// Error (io) with input_changed set: what the run has kept cannot be continued.
Error input_changed(const Input& input);

}  // namespace twinset

// The verdict of an evaluation: how good the run is, and which scheme to choose, if any was tried,
// by the rule of Evaluation::choice().
//
//   verdict_on(evaluation);   // "dedup removed 40 documents, 1 of them wrongly, and resolved ..."
//
// Threads: pure functions.
#pragma once

#include <string>

#include "twinset/evaluate.h"

namespace twinset {

/// Sentences, one a line.
std::string verdict_on(const Evaluation& evaluation);

}  // namespace twinset

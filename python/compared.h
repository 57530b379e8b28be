// Two compared texts as values of Python. Places are counted in characters there.
//
// Threads: those that have the interpreter.
#pragma once

#include "door.h"
#include "twinset/pair.h"

namespace twinset::python {

/// The declared fields; "text_a" and "text_b"; and of each text its passages, as tuples (begin,
/// end, shared, repeat, tokens, match or None), where match is a place in "matches": tuples
/// (passage of A, passage of B, tokens, moved).
nb::dict compared_values(ComparedTexts& compared);

}  // namespace twinset::python

// The analyzer of a rule for two texts or more, checked.
//
// Threads: pure functions.
#pragma once

#include "text/analyzer.h"
#include "twinset/result.h"
#include "twinset/spans.h"

namespace twinset {

/// Errors: usage (an unknown analyzer, or one that does not read pages; least_tokens out of range).
Result<const Analyzer*> analyzer_of(const SpanRule& rule);

}  // namespace twinset

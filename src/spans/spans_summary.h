// summary.json of a run of spans.
//
// Threads: a pure function.
#pragma once

#include <string>
#include <string_view>

#include "twinset/spans.h"

namespace twinset {

std::string spans_summary_json(const SpansSummary& summary, const SpansOptions& options,
                               std::string_view identity);

}  // namespace twinset

// discover over a collection, with a report if one is drawn.
//
// Threads: one call at a time; a call uses the options' threads.
#pragma once

#include "run/run_verb.h"
#include "twinset/result.h"
#include "twinset/reuse.h"

namespace twinset {

/// What a run has found when its report is drawn.
struct DiscoverFindings {
  const DiscoverOptions& options;
  const DiscoverSummary& summary;
};

/// As discover(); `draw` makes the report that the options ask for.
Result<DiscoverSummary> run_discover(const DiscoverOptions& options, const RunControl& control,
                                     DrawReport<DiscoverFindings> draw);

}  // namespace twinset

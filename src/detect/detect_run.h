// detect over a collection, or over the folders of its parts, with a report if one is drawn.
//
// Threads: one call at a time; a call uses the options' threads.
#pragma once

#include "detect/shown_detections.h"
#include "run/run_verb.h"
#include "twinset/result.h"
#include "twinset/reuse.h"

namespace twinset {

/// What a run has found when its report is drawn.
struct DetectFindings {
  const DetectOptions& options;
  const DetectSummary& summary;
  const ShownDetections& shown;
};

/// As detect(); `draw` makes the report that the options ask for.
Result<DetectSummary> run_detect(const DetectOptions& options, const RunControl& control,
                                 DrawReport<DetectFindings> draw);

}  // namespace twinset

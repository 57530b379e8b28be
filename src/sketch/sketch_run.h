// sketch over a collection, with a report if one is drawn.
//
// Threads: one call at a time; a call uses the options' threads.
#pragma once

#include <span>

#include "run/run_verb.h"
#include "sketch/signature_bins.h"
#include "twinset/result.h"
#include "twinset/sketch.h"

namespace twinset {

/// What a run has found when its report is drawn.
struct SketchFindings {
  const SketchOptions& options;
  const SketchSummary& summary;
  std::span<const SignatureBins> bins;  ///< by scheme of the summary
};

/// As sketch(); `draw` makes the report that the options ask for.
Result<SketchSummary> run_sketch(const SketchOptions& options, const RunControl& control,
                                 DrawReport<SketchFindings> draw);

}  // namespace twinset

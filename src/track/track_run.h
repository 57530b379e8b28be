// track over a collection, with a report if one is drawn.
//
// Threads: one call at a time; a call uses the options' threads.
#pragma once

#include "run/run_verb.h"
#include "twinset/index.h"
#include "twinset/result.h"

namespace twinset {

/// The lists of the folder.
inline constexpr const char* changes_list = "changes.jsonl.zst";
inline constexpr const char* hosts_list = "hosts.jsonl.zst";

/// What a run has found when its report is drawn.
struct TrackFindings {
  const TrackOptions& options;
  const TrackSummary& summary;
};

/// As track(); `draw` makes the report that the options ask for.
Result<TrackSummary> run_track(const TrackOptions& options, const RunControl& control,
                               DrawReport<TrackFindings> draw);

}  // namespace twinset

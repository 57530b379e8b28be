// The reports of the verbs: both files of each, drawn from what a run has found and ready to be
// written.
//
// Threads: one at a time.
#pragma once

#include <string>

#include "cluster/cluster_collection.h"
#include "collection/output_files.h"
#include "dedup/dedup_collection.h"
#include "detect/detect_run.h"
#include "discover/discover_run.h"
#include "sketch/sketch_run.h"
#include "spans/spans_run.h"
#include "track/track_run.h"
#include "twinset/result.h"

namespace twinset {

/// Totals, files, histograms, notable clusters, and suspicious removals.
Result<ReportFiles> dedup_report(const DedupFindings& found);
/// The largest clusters, graphs of some of them, and pairs with their texts.
Result<ReportFiles> cluster_report(const ClusterFindings& found);
/// How long passages are and how many documents have them, the texts with the most reused words,
/// who shares with whom, and the texts that share most side by side.
Result<ReportFiles> spans_report(const SpansFindings& found);
/// How evenly the signatures spread (papers/003, section 6.3; S-29).
Result<ReportFiles> signature_report(const SketchFindings& found);
/// How often chunks and files are seen (the plots are Figures 1, 2 and 11 of paper 004), the labels
/// seen most, and what was left out and why.
Result<ReportFiles> discover_report(const DiscoverFindings& found);
/// The worst pages with the chunks they share, the worst neighborhoods, and how many there are of
/// each badness (paper 004, Figure 12).
Result<ReportFiles> detect_report(const DetectFindings& found);
/// Versions and changes month by month, how much changed, and the pages that broke (B 6.5).
Result<ReportFiles> track_report(const TrackFindings& found);

}  // namespace twinset

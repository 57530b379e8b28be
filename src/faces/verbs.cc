// The public functions of the verbs whose runs draw: each with its drawing handed down.
#include "faces/judge_page.h"
#include "faces/labels_text.h"
#include "faces/reports.h"
#include "merge/merge.h"

namespace twinset {

Result<DedupSummary> dedup(const DedupOptions& options, const RunControl& control,
                           const DedupResults& results) {
  return dedup_collection(nullptr, options, control, results, dedup_report);
}

Result<ClusterSummary> cluster(const ClusterOptions& options, const RunControl& control,
                               const ClusterResults& results) {
  return cluster_collection(nullptr, options, control, results, cluster_report);
}

Result<MergeSummary> merge(const MergeOptions& options, const RunControl& control) {
  return merge_shards(options, control, dedup_report, cluster_report);
}

std::string to_text(const MergeSummary& summary, bool verbose) {
  return summary.dedup ? to_text(*summary.dedup, verbose) : to_text(*summary.cluster, verbose);
}

Result<SpansSummary> spans(const SpansOptions& options, const RunControl& control) {
  return run_spans(options, control, spans_report);
}

Result<SketchSummary> sketch(const SketchOptions& options, const RunControl& control) {
  return run_sketch(options, control, signature_report);
}

Result<TrackSummary> track(const TrackOptions& options, const RunControl& control) {
  return run_track(options, control, track_report);
}

Result<DiscoverSummary> discover(const DiscoverOptions& options, const RunControl& control) {
  return run_discover(options, control, discover_report);
}

Result<DetectSummary> detect(const DetectOptions& options, const RunControl& control) {
  return run_detect(options, control, detect_report);
}

Result<JudgedTables> judge(const JudgeOptions& options, JudgeDesk& desk,
                           const RunControl& control) {
  return run_judge(options, desk, control, {page_pair, judge_page});
}

Result<LabelsSummary> show_labels(const LabelsOptions& options, bool json,
                                  const std::function<Status(std::string_view)>& use,
                                  const RunControl& control) {
  return show_labels_in(json ? nullptr : &label_lines, options, use, control);
}

}  // namespace twinset

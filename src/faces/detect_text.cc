// The result of detection as text.
//
// This file's interface is to_text() of twinset/reuse.h; the rest is private.
#include <fmt/core.h>

#include <string>

#include "faces/reuse_text.h"
#include "faces/run_text.h"
#include "twinset/reuse.h"
#include "twinset/visible.h"
#include "words/numbers.h"

namespace twinset {
namespace {

const char* mark(bool is_bad) { return is_bad ? "bad" : "   "; }

/// Shares and thresholds are rounded in one way: what is above a threshold is never shown below it.
std::string share_text(double share) {
  std::string text = fmt::format("{:.3f}", share);
  // Next to none and next to all have the digits that tell them from these.
  const bool hides = (share > 0 && text == "0.000") || (share < 1 && text == "1.000");
  return hides ? format_share(share) : text;
}

/// "0.163, the mean 0.040 and one standard deviation 0.123, of 1,000 pages".
std::string threshold_text(const DetectThreshold& threshold, const char* things) {
  std::string text = share_text(threshold.threshold);
  const bool is_auto = threshold.threshold == threshold.mean + threshold.deviation;
  text += fmt::format("{} the mean {} and one standard deviation {} of {} {}",
                      is_auto ? ":" : "; for comparison:", share_text(threshold.mean),
                      share_text(threshold.deviation), format_count(threshold.of), things);
  return text;
}

std::string totals_text(const DetectSummary& summary) {
  std::string out = reuse_line(summary.pages, "page", "pages", " read");
  if (summary.quarantined > 0) {
    out += reuse_line(summary.quarantined, "record", "records", " could not be read");
  }
  if (summary.recursion_errors > 0) {
    out += reuse_line(summary.recursion_errors, "page is a recursion error",
                      "pages are recursion errors", " of a crawler, left out");
  }
  out +=
      reuse_line(summary.labeled_pages, "page holds", "pages hold",
                 " a label, " + format_percent(summary.labeled_pages, summary.pages) + " of all");
  if (summary.labeled_files > 0) {
    out += reuse_line(summary.labeled_files, "of these is", "of these are", " a label as a whole");
  }
  out += reuse_line(summary.labeled_chunks, "chunk", "chunks",
                    " of " + format_count(summary.chunks) + " are labels");
  if (summary.stop_chunks > 0) {
    out += reuse_line(summary.stop_chunks, "stop chunk", "stop chunks", " left out");
  }
  out += reuse_line(summary.page_threshold.bad, "page is", "pages are",
                    " bad: above " + threshold_text(summary.page_threshold, "pages"));
  out += reuse_line(summary.neighborhood_threshold.bad, "neighborhood is", "neighborhoods are",
                    " bad, of " + format_count(summary.neighborhoods) + ": above " +
                        threshold_text(summary.neighborhood_threshold, "neighborhoods"));
  out += fmt::format("{:>16}  false matches expected, of {} unlike chunks and {}\n",
                     expected_text(summary.expected_false_labels),
                     format_count(summary.chunks - summary.labeled_chunks),
                     format_count(summary.labels, "label", "labels"));
  return out;
}

}  // namespace

std::string to_text(const DetectSummary& summary, Badness by, bool verbose) {
  std::string out;
  if (!summary.top_pages.empty()) out += "bad  contains  labeled/chunks  URL\n";
  for (const DetectedPage& page : summary.top_pages) {
    out += fmt::format("{}  {:>8}  {:>14}  {}{}\n", mark(page.bad), share_text(page.contains()),
                       fmt::format("{}/{}", page.labeled, page.chunks), visible_name(page.url),
                       page.file_labeled ? "  (the whole file)" : "");
  }
  if (summary.labeled_pages > summary.top_pages.size()) {
    out += reuse_line(summary.labeled_pages - summary.top_pages.size(), "more page holds",
                      "more pages hold", " a label");
  }
  if (!summary.top_neighborhoods.empty()) {
    out += fmt::format("{}bad   badness           pages  PREFIX\n", out.empty() ? "" : "\n");
  }
  for (const DetectedNeighborhood& each : summary.top_neighborhoods) {
    out += fmt::format("{}  {:>8}  {:>14}  {}\n", mark(each.bad), share_text(each.badness(by)),
                       format_count(each.pages), visible_name(each.prefix));
  }
  if (!out.empty()) out += '\n';
  out += totals_text(summary);
  return verbose ? out + "\n" + engine_text(summary) : out;
}

}  // namespace twinset

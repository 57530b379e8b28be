// The result of detection as text and as JSON.
//
// This file's interface is to_text(), to_json() and badness() of twinset/reuse.h; the rest is
// private.
#include <fmt/core.h>

#include <string>

#include "detect/detect_fields.h"
#include "detect/share_sums.h"
#include "io/field_json.h"
#include "report/numbers.h"
#include "reuse/reuse_text.h"
#include "twinset/reuse.h"
#include "twinset/visible.h"

namespace twinset {
namespace {

const char* mark(bool is_bad) { return is_bad ? "bad" : "   "; }

std::string line(std::uint64_t count, const std::string& what) {
  return fmt::format("{:>16}  {}\n", format_count(count), what);
}

/// The same with one word for one and another for all other counts.
std::string line(std::uint64_t count, const char* one, const char* more, const std::string& rest) {
  return line(count, (count == 1 ? one : more) + rest);
}

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
  std::string out = line(summary.pages, "page", "pages", " read");
  if (summary.quarantined > 0) {
    out += line(summary.quarantined, "record", "records", " could not be read");
  }
  if (summary.recursion_errors > 0) {
    out += line(summary.recursion_errors, "page is a recursion error", "pages are recursion errors",
                " of a crawler, left out");
  }
  out += line(summary.labeled_pages, "page holds", "pages hold",
              " a label, " + format_percent(summary.labeled_pages, summary.pages) + " of all");
  if (summary.labeled_files > 0) {
    out += line(summary.labeled_files, "of these is", "of these are", " a label as a whole");
  }
  out += line(summary.labeled_chunks, "chunk", "chunks",
              " of " + format_count(summary.chunks) + " are labels");
  if (summary.stop_chunks > 0) {
    out += line(summary.stop_chunks, "stop chunk", "stop chunks", " left out");
  }
  out += line(summary.page_threshold.bad, "page is", "pages are",
              " bad: above " + threshold_text(summary.page_threshold, "pages"));
  out += line(summary.neighborhood_threshold.bad, "neighborhood is", "neighborhoods are",
              " bad, of " + format_count(summary.neighborhoods) + ": above " +
                  threshold_text(summary.neighborhood_threshold, "neighborhoods"));
  out += fmt::format("{:>16}  false matches expected, of {} unlike chunks and {}\n",
                     expected_text(summary.expected_false_labels),
                     format_count(summary.chunks - summary.labeled_chunks),
                     format_count(summary.labels, "label", "labels"));
  return out;
}

}  // namespace

double DetectedNeighborhood::badness(Badness by) const {
  if (by == Badness::chunks) {
    return chunks == 0 ? 0 : static_cast<double>(labeled) / static_cast<double>(chunks);
  }
  if (pages == 0) return 0;
  return static_cast<double>(contains_sum) / static_cast<double>(pages) * share_of_units(1);
}

std::string to_text(const DetectSummary& summary, Badness by) {
  std::string out;
  if (!summary.top_pages.empty()) out += "bad  contains  labeled/chunks  URL\n";
  for (const DetectedPage& page : summary.top_pages) {
    out += fmt::format("{}  {:>8}  {:>14}  {}{}\n", mark(page.bad), share_text(page.contains()),
                       fmt::format("{}/{}", page.labeled, page.chunks), visible_name(page.url),
                       page.file_labeled ? "  (the whole file)" : "");
  }
  if (summary.labeled_pages > summary.top_pages.size()) {
    out += line(summary.labeled_pages - summary.top_pages.size(), "more page holds",
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
  return out + totals_text(summary);
}

std::string to_json(const DetectSummary& summary, Badness by) {
  std::string out;
  const auto add = [&out](const std::vector<Field>& fields) { out += fields_json(fields) + '\n'; };
  for (const DetectedPage& page : summary.top_pages) add(fields_of(to_write(page)));
  for (const DetectedNeighborhood& each : summary.top_neighborhoods) {
    add(fields_of(to_write(each)));
  }
  add(totals_fields(to_write(summary), by));
  return out;
}

}  // namespace twinset

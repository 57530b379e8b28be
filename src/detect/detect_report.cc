#include "detect/detect_report.h"

#include <string>
#include <utility>

#include "report/facts.h"
#include "report/numbers.h"
#include "report/page.h"
#include "report/visible.h"
#include "reuse/reuse_text.h"
#include "twinset/version.h"

namespace twinset {
namespace {

constexpr std::size_t most_line_bytes = 4000;

Section totals(const DetectSummary& summary) {
  Section section{.name = "totals"};
  section.numbers = {{"Pages", Value::count(summary.pages),
                      "in " + format_count(summary.neighborhoods, "neighborhood", "neighborhoods")},
                     {"Hold a label", Value::count(summary.labeled_pages),
                      format_percent(summary.labeled_pages, summary.pages) + " of all pages"},
                     {"Labeled chunks", Value::percent(summary.labeled_chunks, summary.chunks),
                      "of " + format_count(summary.chunks, "chunk", "chunks")},
                     {"Bad neighborhoods", Value::count(summary.neighborhood_threshold.bad),
                      "above " + format_share(summary.neighborhood_threshold.threshold)}};
  return section;
}

}  // namespace

Result<ReportFiles> detect_report(const DetectOptions& options, const DetectSummary& summary,
                                  const ShownDetections& shown) {
  static_cast<void>(shown);
  ReportFacts facts;
  facts.title = "Detected reuse";
  facts.output = visible_name(options.output.empty() ? "standard output" : options.output);
  facts.command = visible_name(options.command, most_line_bytes);
  facts.started = summary.started;
  facts.version = std::string(version());
  for (const std::string& warning : summary.warnings) {
    facts.warnings.push_back(visible_name(warning, most_line_bytes));
  }
  facts.sections = {totals(summary)};
  ReportFiles files;
  files.json = report_json(std::move(facts));
  TWINSET_ASSIGN(const ReportFacts stored, read_report_facts(files.json, "report.json"));
  files.page = report_page(stored);
  return files;
}

}  // namespace twinset

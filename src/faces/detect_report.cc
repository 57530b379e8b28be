#include <algorithm>
#include <string>
#include <utility>

#include "faces/facts.h"
#include "faces/reports.h"
#include "faces/reuse_text.h"
#include "faces/run_report.h"
#include "twinset/result.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

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

/// The first words of a match, as it stands in the page.
std::string quoted(const PageMatch& match) {
  const std::string words = first_words(match.text, most_quoted_bytes);
  if (!words.empty()) return words;
  return match.text.empty() ? "(not quoted)" : "(no words)";
}

std::string label_name(const LabelSample& sample) {
  return sample.url.empty() ? std::string("a label without a place") : visible_name(sample.url);
}

std::string file_of(const std::string& url, const std::string& file) {
  // A page without a URL is named by its file already.
  return url.starts_with(file) ? std::string() : visible_name(file);
}

Section pages(const DetectSummary& summary, const ShownDetections& shown) {
  Section section{.name = "pages", .title = "Pages with the largest share of labels"};
  section.lead = "A page is bad if the share of its chunks that are labels is above " +
                 format_share(summary.page_threshold.threshold) + ".";
  if (summary.labeled_pages > shown.pages.size()) {
    section.lead += " The first " + format_count(shown.pages.size()) + " of " +
                    format_count(summary.labeled_pages) + " that hold a label.";
  }
  for (const ShownPage& each : shown.pages) {
    const DetectedPage& page = each.page;
    ListItem item;
    item.documents = {{.id = visible_name(page.url),
                       .file = file_of(page.url, page.file),
                       .record = page.record}};
    if (!each.matches.empty()) item.documents.front().words = quoted(each.matches.front());
    item.facts = {{"contains", Value::share(page.contains(), summary.page_threshold.threshold),
                   page.bad ? "bad" : ""},
                  {"labels", Value::count(page.labeled),
                   "of " + format_count(page.chunks, "chunk", "chunks")}};
    if (page.file_labeled) item.facts.push_back({"known as", Value::text("a whole file")});
    item.members_name = each.all_matches == each.matches.size()
                            ? format_count(each.all_matches, "match", "matches")
                            : "the first " + format_count(each.matches.size()) + " of " +
                                  format_count(each.all_matches, "match", "matches");
    for (const PageMatch& match : each.matches) {
      item.members.push_back(
          {{.id = label_name(match.sample), .words = quoted(match)},
           {{"from byte", Value::count(match.offset)}, {"bytes", Value::count(match.length)}}});
    }
    section.list.push_back(std::move(item));
  }
  return section;
}

Section neighborhoods(const DetectOptions& options, const DetectSummary& summary) {
  Section section{.name = "neighborhoods", .title = "Worst neighborhoods"};
  section.lead =
      options.badness == Badness::chunks
          ? "Badness is the share of labels among all chunks of the pages below a prefix."
          : "Badness is the mean share of labels over the pages below a prefix.";
  section.lead += " Above " + format_share(summary.neighborhood_threshold.threshold) +
                  " a neighborhood is bad.";
  Table table{{"neighborhood", "", "badness", "pages", "with labels", "chunks", "labels"}, {}};
  for (const DetectedNeighborhood& each : summary.top_neighborhoods) {
    table.rows.push_back(
        {Value::text(visible_name(each.prefix)), Value::text(each.bad ? "bad" : ""),
         Value::share(each.badness(options.badness), summary.neighborhood_threshold.threshold),
         Value::count(each.pages), Value::count(each.labeled_pages), Value::count(each.chunks),
         Value::count(each.labeled)});
  }
  section.tables.push_back(std::move(table));
  return section;
}

constexpr std::size_t most_listed_sites = 200;

Section reuse(const ReusedSites& sites) {
  Section section{.name = "reuse", .title = "Who reuses whom"};
  section.lead =
      "By the site of a page and the site that its labels are known from, with the share of all "
      "matches of the first one.";
  const std::vector<ReusedSite> all = sites.ranked();
  const std::size_t listed = std::min(most_listed_sites, all.size());
  if (listed < all.size()) {
    section.lead += " The first " + format_count(listed) + " of " + format_count(all.size()) + ".";
  }
  if (sites.too_many()) {
    section.lead += " Only the first " + format_count(ReusedSites::most_counted) +
                    " pairs of sites are counted.";
  }
  Table table{{"site", "known from", "share", "pages", "matches"}, {}};
  for (std::size_t i = 0; i < listed; ++i) {
    const ReusedSite& each = all[i];
    table.rows.push_back({Value::text(visible_name(each.site)),
                          Value::text(each.known_from.empty() ? "a label without a place"
                                                              : visible_name(each.known_from)),
                          Value::share(each.share), Value::count(each.pages),
                          Value::count(each.matches)});
  }
  section.tables.push_back(std::move(table));
  return section;
}

/// Bars of a twentieth each, and one of the wholes.
Histogram by_twentieth(std::string title, std::string across, std::string things,
                       const std::vector<std::uint64_t>& counts) {
  Histogram chart{std::move(title), std::move(across), things, {things}, {}, true};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const bool is_all = i + 1 == counts.size();
    const std::string low = format_share(static_cast<double>(i) / 20).substr(0, 4);
    const std::string high = format_share(static_cast<double>(i + 1) / 20).substr(0, 4);
    chart.bars.push_back({low, is_all ? "all" : low + " to below " + high, {counts[i]}});
  }
  return chart;
}

/// How many are below a badness: the cumulative distribution of Figure 12, and that of pages.
Section distribution(const DetectSummary& summary) {
  Section section{.name = "distribution", .title = "How many are below a share"};
  Table table{{"share of labels below", "neighborhoods", "of all", "pages", "of all"}, {}};
  std::uint64_t all_neighborhoods = 0;
  std::uint64_t all_pages = 0;
  for (const std::uint64_t count : summary.by_badness) all_neighborhoods += count;
  for (const std::uint64_t count : summary.by_contains) all_pages += count;
  std::uint64_t below_neighborhoods = 0;
  std::uint64_t below_pages = 0;
  for (std::size_t i = 0; i < summary.by_badness.size(); ++i) {
    below_neighborhoods += summary.by_badness[i];
    below_pages += i < summary.by_contains.size() ? summary.by_contains[i] : 0;
    const bool is_all = i + 1 == summary.by_badness.size();
    table.rows.push_back(
        {Value::text(is_all ? "1, and all" : format_share(static_cast<double>(i + 1) / 20)),
         Value::count(below_neighborhoods), Value::percent(below_neighborhoods, all_neighborhoods),
         Value::count(below_pages), Value::percent(below_pages, all_pages)});
  }
  section.tables.push_back(std::move(table));
  return section;
}

Section histograms(const DetectOptions& options, const DetectSummary& summary) {
  Section section{.name = "histograms", .title = "How bad neighborhoods and pages are"};
  section.lead = "Those that have chunks, by twentieths.";
  section.histograms = {
      by_twentieth("Neighborhoods by badness",
                   options.badness == Badness::chunks ? "share of labels among their chunks"
                                                      : "mean share of labels over their pages",
                   "neighborhoods", summary.by_badness),
      by_twentieth("Pages by their share of labels", "share of labels", "pages",
                   summary.by_contains)};
  return section;
}

Section labels(const ShownDetections& shown) {
  Section section{.name = "labels", .title = "Labels found most often"};
  section.lead = "Each with the first place where it is known from.";
  for (const FoundOften& each : shown.labels) {
    section.list.push_back(
        {.documents = {{.id = label_name(each.match.sample), .words = quoted(each.match)}},
         .facts = {{"times", Value::count(each.times)},
                   {"kind", Value::text(each.match.kind == LabelKind::file ? "file" : "chunk")}},
         .links = {}});
  }
  return section;
}

Section recursion_errors(const DetectSummary& summary, const ShownDetections& shown) {
  Section section{.name = "recursion", .title = "Recursion errors"};
  section.lead = format_count(summary.recursion_errors, "page has a URL", "pages have URLs") +
                 " that a crawler made by following a link around a loop. They are in no count.";
  Table table{{"URL", "repeated", "times"}, {}};
  for (const RecursionError& each : shown.recursion_errors) {
    table.rows.push_back({Value::text(visible_name(each.url)),
                          Value::text(visible_name(each.parts)), Value::count(each.times)});
  }
  section.tables.push_back(std::move(table));
  return section;
}

std::string made_of(const DetectThreshold& threshold) {
  return "mean " + format_share(threshold.mean) + ", standard deviation " +
         format_share(threshold.deviation) + ", of " + format_count(threshold.of);
}

Section the_run(const DetectOptions& options, const DetectSummary& summary) {
  Section section{.name = "run", .title = "The run"};
  section.numbers = {
      {"threshold of pages", Value::share(summary.page_threshold.threshold),
       made_of(summary.page_threshold)},
      {"threshold of neighborhoods", Value::share(summary.neighborhood_threshold.threshold),
       made_of(summary.neighborhood_threshold)},
      {"labels", Value::count(summary.labels), visible_name(options.labels)},
      {"rules", Value::code(visible_name(summary.rules))},
      {"false matches expected", Value::text(expected_text(summary.expected_false_labels)),
       "of " + format_count(summary.chunks - summary.labeled_chunks) + " unlike chunks"},
      {"short chunks left out", Value::count(summary.short_chunks)},
      {"stop chunks left out", Value::count(summary.stop_chunks)},
      time_of(summary),
      memory_of(summary)};
  return section;
}

}  // namespace

Result<ReportFiles> detect_report(const DetectFindings& found) {
  const auto& [options, summary, shown] = found;
  ReportFacts facts;
  facts.title = "Detected reuse";
  fill_head(facts, options.output.empty() ? "standard output" : options.output, options.command,
            summary);
  facts.sections = {totals(summary), histograms(options, summary)};
  if (!shown.pages.empty()) facts.sections.push_back(pages(summary, shown));
  if (!summary.top_neighborhoods.empty()) {
    facts.sections.push_back(neighborhoods(options, summary));
  }
  if (!shown.labels.empty()) {
    facts.sections.push_back(reuse(shown.sites));
    facts.sections.push_back(labels(shown));
  }
  if (summary.pages > 0) facts.sections.push_back(distribution(summary));
  if (summary.recursion_errors > 0) {
    facts.sections.push_back(recursion_errors(summary, shown));
  }
  facts.sections.push_back(the_run(options, summary));
  return drawn_report(std::move(facts));
}

}  // namespace twinset

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/message.h"
#include "faces/facts.h"
#include "faces/reports.h"
#include "faces/reuse_text.h"
#include "faces/run_report.h"
#include "twinset/result.h"
#include "words/numbers.h"

namespace twinset {
namespace {

/// Distinct objects by 2^i to 2^(i+1) - 1 times that they were seen.
Histogram by_frequency(const char* objects, const ObjectCounts& counts) {
  Histogram chart{std::string("Distinct ") + objects + " by the times they were seen",
                  "times seen",
                  objects,
                  {"not labeled", "labels"},
                  {},
                  true};
  std::vector<ObjectFrequency> bins(64);
  std::size_t used = 0;
  for (const ObjectFrequency& frequency : counts.frequencies) {
    const auto bin = static_cast<std::size_t>(std::bit_width(frequency.count)) - 1;
    bins[bin].objects += frequency.objects;
    bins[bin].labels += frequency.labels;
    used = std::max(used, bin + 1);
  }
  for (std::size_t i = 0; i < used; ++i) {
    const std::uint64_t least = std::uint64_t{1} << i;
    const std::uint64_t most = 2 * least - 1;
    chart.bars.push_back({least < 1024 ? std::to_string(least) + (i > 0 ? "+" : "")
                                       : format_count(least >> 10) + "k+",
                          most > least ? format_count(least) + " to " + format_count(most) : "1",
                          {bins[i].objects - bins[i].labels, bins[i].labels}});
  }
  return chart;
}

/// The points of a curve for a screen: one in each place of a fine grid on logarithmic axes, so
/// that their number does not grow with the collection.
class Thinned {
 public:
  explicit Thinned(std::string name) : series_{std::move(name), {}, 0} {}

  void add(std::uint64_t across, std::uint64_t up) {
    if (across == 0 || up == 0) return;
    const auto place = [](std::uint64_t number) {
      return std::lround(places_of_a_decade * std::log10(static_cast<double>(number)));
    };
    if (!met_.emplace(place(across), place(up)).second) return;
    series_.points.push_back({static_cast<double>(across), static_cast<double>(up)});
  }

  PlotSeries take() { return std::move(series_); }

 private:
  static constexpr double places_of_a_decade = 40;

  PlotSeries series_;
  std::set<std::pair<long, long>> met_;
};

/// The frequency-occurrence graph of paper 004 (Figures 1, 2 and 11): how many distinct objects
/// were seen so often. Labels are right of the threshold.
Plot frequency_plot(const char* objects, const ObjectCounts& counts, std::uint64_t over) {
  Thinned labels("labels");
  Thinned others("not labeled");
  for (const ObjectFrequency& frequency : counts.frequencies) {
    labels.add(frequency.count, frequency.labels);
    others.add(frequency.count, frequency.objects - frequency.labels);
  }
  Plot plot{.title = std::string("Distinct ") + objects + ", each count by itself",
            .across = "times seen",
            .up = std::string("distinct ") + objects,
            .logarithmic = true,
            .series = {}};
  for (PlotSeries series : {labels.take(), others.take()}) {
    series.threshold = static_cast<double>(over);
    if (!series.points.empty()) plot.series.push_back(std::move(series));
  }
  return plot;
}

Section totals(const DiscoverSummary& summary) {
  Section section{.name = "totals"};
  section.numbers = {
      {"Pages", Value::count(summary.pages), "on " + format_count(summary.sites, "site", "sites")},
      {"Labels", Value::count(summary.chunks.labels + summary.files.labels),
       format_count(summary.chunks.labels, "chunk", "chunks") + " and " +
           format_count(summary.files.labels, "file", "files")},
      {"Chunks", Value::count(summary.chunks.seen),
       format_count(summary.chunks.distinct) + " distinct"},
      {"Labeled", Value::percent(summary.chunks.labels_seen, summary.chunks.seen),
       "of all chunks seen"}};
  return section;
}

Section frequencies(const DiscoverOptions& options, const DiscoverSummary& summary) {
  Section section{.name = "frequencies", .title = "How often chunks and files are seen"};
  section.lead =
      "Few objects are seen very often, and most once. The labels are those right of the "
      "threshold that are no stop chunks, and those of known content.";
  section.histograms = {by_frequency("chunks", summary.chunks),
                        by_frequency("files", summary.files)};
  for (Plot plot : {frequency_plot("chunks", summary.chunks, options.over_chunks),
                    frequency_plot("files", summary.files, options.over_files)}) {
    if (!plot.series.empty()) section.plots.push_back(std::move(plot));
  }
  return section;
}

Section labels(const DiscoverSummary& summary) {
  Section section{.name = "labels", .title = "The labels seen most"};
  section.lead = "Each with the first page that has it.";
  for (const DiscoveredLabel& label : summary.top) {
    section.list.push_back(
        {.documents = {{.id = label.url, .words = label.text}},
         .facts = {{"times", Value::count(label.count)},
                   {label.documents == 1 ? "page" : "pages", Value::count(label.documents)},
                   {label.sites == 1 ? "site" : "sites", Value::count(label.sites)},
                   {"kind", Value::text(label.is_file ? "file" : "chunk")}},
         .links = {}});
  }
  return section;
}

Section left_out(const DiscoverOptions& options, const DiscoverSummary& summary) {
  Section section{.name = "stops", .title = "What is no label, however often it is seen"};
  Table table{{"left out", "chunks", "files"}, {}};
  const auto row = [&](const std::string& what, std::uint64_t chunks, std::uint64_t files) {
    table.rows.push_back({Value::text(what), Value::count(chunks), Value::count(files)});
  };
  row(render_message(Door::plain, "shorter than " + option("min_chars") + ", times seen"),
      summary.chunks.short_seen, 0);
  if (!options.stop.empty()) {
    row("in the set of stop chunks, times seen", summary.chunks.stop_seen, summary.files.stop_seen);
  }
  if (options.stop_in_site != 0) {
    row("on more than " + format_count(options.stop_in_site) + " pages of one site, distinct",
        summary.chunks.in_site, summary.files.in_site);
  }
  if (options.stop_over_sites != 0) {
    row("on more than " + format_count(options.stop_over_sites) + " sites, distinct",
        summary.chunks.over_sites, summary.files.over_sites);
  }
  section.tables.push_back(std::move(table));
  if (summary.recursion_errors > 0) {
    Table pages{{"pages left out as recursion errors"}, {}};
    for (const std::string& url : summary.recursion_examples) {
      pages.rows.push_back({Value::text(url)});
    }
    section.lead = format_count(summary.recursion_errors, "page has a URL", "pages have URLs") +
                   " that a crawler made by following a link around a loop.";
    section.tables.push_back(std::move(pages));
  }
  return section;
}

Section the_run(const DiscoverOptions& options, const DiscoverSummary& summary) {
  Section section{.name = "run", .title = "The run"};
  section.numbers = {
      {"threshold of chunks", Value::count(options.over_chunks), "more often is a label"},
      {"threshold of files", Value::count(options.over_files), "more often is a label"},
      {"rules", Value::code(summary.rules)},
      {"false matches expected", Value::text(expected_text(summary.chunks.expected_false_matches)),
       "pairs of unlike chunks of one hash"},
      time_of(summary),
      memory_of(summary)};
  return section;
}

}  // namespace

Result<ReportFiles> discover_report(const DiscoverFindings& found) {
  const auto& [options, summary] = found;
  ReportFacts facts;
  facts.title = "Discovered labels";
  fill_head(facts, options.output, options.command, summary);
  facts.sections = {totals(summary), frequencies(options, summary)};
  if (!summary.top.empty()) facts.sections.push_back(labels(summary));
  facts.sections.push_back(left_out(options, summary));
  facts.sections.push_back(the_run(options, summary));
  return drawn_report(std::move(facts));
}

}  // namespace twinset

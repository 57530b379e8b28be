#include <string>
#include <utility>

#include "faces/facts.h"
#include "faces/reports.h"
#include "faces/run_report.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

Section track_totals(const TrackSummary& summary) {
  const TrackCounts& counts = summary.counts;
  Section section{.name = "totals"};
  section.numbers = {
      {"Pages", Value::count(counts.pages), "on " + format_count(summary.hosts, "host", "hosts")},
      {"Versions", Value::count(counts.versions)},
      {"Changed", Value::percent(counts.changed(), counts.changed() + counts.same),
       "of the versions after the first"},
      {"Broke", Value::count(counts.back), "times, and came back"}};
  Table table{{"change by weight", "versions", "of all", "of more than a tenth of the text"}, {}};
  const std::uint64_t changed = counts.changed();
  table.rows = {
      {Value::text("small"), Value::count(counts.small), Value::percent(counts.small, changed),
       Value::count(counts.small_of_much)},
      {Value::text("large"), Value::count(counts.large), Value::percent(counts.large, changed),
       Value::count(counts.large - counts.large_of_little)}};
  section.tables.push_back(std::move(table));
  return section;
}

Section ends_of_pages(const TrackCounts& counts) {
  Section section{.name = "ends", .title = "Moves, births and deaths"};
  section.lead =
      "Shares are of the chances: from a version to the next sweep a page stays, moves or dies.";
  Table table{{"", "pages", "of all chances"}, {}};
  const auto add = [&](const char* name, std::uint64_t pages) {
    table.rows.push_back(
        {Value::text(name), Value::count(pages), Value::percent(pages, counts.chances())});
  };
  add("moved within their host", counts.moved_within);
  add("moved to another host", counts.moved_between);
  add("were born", counts.born);
  add("died", counts.died);
  section.tables.push_back(std::move(table));
  return section;
}

Section timeline(const TrackSummary& summary) {
  Section section{.name = "timeline", .title = "Month by month"};
  Histogram versions{"Versions", "month", "versions", {"unchanged", "changed"}, {}, false};
  Histogram ends{"First and last seen", "month", "pages", {"born", "gone"}, {}, false};
  for (const TrackedMonth& each : summary.months) {
    versions.bars.push_back({each.month, each.month, {each.versions - each.changed, each.changed}});
    ends.bars.push_back({each.month, each.month, {each.born, each.gone}});
  }
  section.histograms = {std::move(versions), std::move(ends)};
  return section;
}

Section how_much(const TrackSummary& summary) {
  Section section{.name = "changes", .title = "How much changes"};
  section.lead =
      "Small and large changes, by the resemblance of a version to the one before it, "
      "and by the bits in which their signatures differ.";
  Histogram shares{"By resemblance", "resemblance", "changes", {"changes"}, {}, true};
  for (std::size_t i = 0; i < summary.by_resemblance.size(); ++i) {
    const std::string low = format_share(static_cast<double>(i) / 20).substr(0, 4);
    const std::string high = format_share(static_cast<double>(i + 1) / 20).substr(0, 4);
    const bool is_all = i + 1 == summary.by_resemblance.size();
    shares.bars.push_back(
        {low, is_all ? "all" : low + " to below " + high, {summary.by_resemblance[i]}});
  }
  Histogram bits{"By distance", "bits", "changes", {"changes"}, {}, true};
  std::size_t most = summary.by_distance.size();
  while (most > 1 && summary.by_distance[most - 1] == 0) --most;
  for (std::size_t i = 0; i < most; ++i) {
    bits.bars.push_back({std::to_string(i), std::to_string(i), {summary.by_distance[i]}});
  }
  section.histograms = {std::move(shares), std::move(bits)};
  return section;
}

Section changed_hosts(const TrackSummary& summary) {
  Section section{.name = "hosts", .title = "Hosts with the most changes"};
  Table table{{"host", "pages", "versions", "small", "large", "broken", "moved", "died"}, {}};
  for (const TrackedHost& each : summary.most_changed) {
    const TrackCounts& counts = each.counts;
    table.rows.push_back({Value::text(visible_name(each.host)), Value::count(counts.pages),
                          Value::count(counts.versions), Value::count(counts.small),
                          Value::count(counts.large), Value::count(counts.broken),
                          Value::count(counts.moved_within + counts.moved_between),
                          Value::count(counts.died)});
  }
  section.tables.push_back(std::move(table));
  return section;
}

Section broken_pages(const TrackSummary& summary) {
  Section section{.name = "broken", .title = "Pages that broke and came back"};
  Table table{{"URL"}, {}};
  for (const std::string& url : summary.broken_pages) {
    table.rows.push_back({Value::text(visible_name(url))});
  }
  section.tables.push_back(std::move(table));
  return section;
}

}  // namespace

Result<ReportFiles> track_report(const TrackFindings& found) {
  const auto& [options, summary] = found;
  ReportFacts facts;
  facts.title = "Changes of pages";
  fill_head(facts, options.output, options.command, summary);
  facts.sections = {track_totals(summary), timeline(summary), how_much(summary)};
  if (!options.changes) facts.sections.push_back(ends_of_pages(summary.counts));
  facts.sections.push_back(changed_hosts(summary));
  if (!summary.broken_pages.empty()) facts.sections.push_back(broken_pages(summary));
  facts.sections.push_back(
      {.name = "run",
       .title = "The run",
       .numbers = {{"scheme", Value::code(visible_name(summary.scheme))},
                   {"last sweep since", Value::text(visible_name(summary.since))},
                   time_of(summary),
                   memory_of(summary)}});
  return drawn_report(std::move(facts));
}

}  // namespace twinset

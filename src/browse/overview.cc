#include "browse/overview.h"

#include <algorithm>
#include <bit>

#include "browse/cluster_choice.h"
#include "faces/histograms.h"
#include "faces/run_report.h"
#include "io/field_json.h"
#include "system/context.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr std::size_t most_largest = 12;

/// The report in the folder; empty: it has none that can be read.
Result<std::string> kept_report(FileSystem& files, const FinishedRun& run) {
  const std::string path = run.path + "/report.json";
  TWINSET_ASSIGN(const FileStatus status, files.status(path));
  if (status.kind != FileStatus::Kind::regular) return std::string();
  TWINSET_ASSIGN(std::string json, read_result_file(files, path));
  return read_report_facts(json, path).ok() ? std::move(json) : std::string();
}

Result<Section> histograms_of(const ClusterTable& table, const std::atomic<bool>* cancel) {
  std::vector<std::uint64_t> sizes;
  ResemblanceBins near;
  ResemblanceBins contained;
  for (std::uint64_t cluster = 0; cluster < table.clusters(); ++cluster) {
    const auto width = static_cast<std::size_t>(std::bit_width(table.documents(cluster)));
    if (sizes.size() < width) sizes.resize(width);
    ++sizes[width - 1];
    for (std::uint64_t i = table.begin(cluster) + 1; i < table.end(cluster); ++i) {
      if (i % 65536 == 0) TWINSET_TRY(check_stop(cancel));
      const std::optional<RemovalKind> kind = table.kind(i);
      const std::optional<double> resemblance = table.resemblance(i);
      if (!kind.has_value() || !resemblance.has_value()) continue;
      if (kind == RemovalKind::near) near.add(*resemblance);
      if (kind == RemovalKind::contained) contained.add(*resemblance);
    }
  }
  Section section{.name = "histograms", .title = "Histograms"};
  section.histograms.push_back(size_histogram(sizes));
  Histogram alike = resemblance_histogram("Members of clusters by resemblance", "documents", near,
                                          "near", contained, "contained");
  if (!alike.bars.empty()) section.histograms.push_back(std::move(alike));
  return section;
}

Result<Section> largest_of(const OverviewParts& parts) {
  const ClusterTable& table = *parts.table;
  Section section{.name = "largest", .title = "Largest clusters"};
  ClustersOptions options;
  TWINSET_ASSIGN(const RowOrder order, choose_clusters(table, options, parts.cancel));
  std::vector<RecordPlace> places;
  const std::size_t shown = std::min(most_largest, order.rows.size());
  for (std::size_t i = 0; i < shown; ++i) {
    TWINSET_ASSIGN(places.emplace_back(), table.name(table.begin(order.rows[i])));
  }
  TWINSET_ASSIGN(const std::vector<ShownRecord> words, parts.texts->words(places, parts.cancel));
  for (std::size_t i = 0; i < shown; ++i) {
    const std::uint32_t cluster = order.rows[i];
    ListItem& item = section.list.emplace_back();
    item.documents = {{visible_name(places[i].document.id), visible_name(places[i].document.file),
                       places[i].document.record, words[i].words.value_or("")}};
    item.facts = {{"documents", Value::count(table.documents(cluster))},
                  {"files", Value::count(table.sources(cluster))}};
    if (const std::optional<double> least = table.least(cluster)) {
      item.facts.push_back({"lowest resemblance", Value::share(*least)});
    }
  }
  return section;
}

}  // namespace

Result<std::string> overview_json(FileSystem& files, const FinishedRun& run,
                                  const OverviewParts& parts) {
  TWINSET_ASSIGN(std::string kept, kept_report(files, run));
  if (!kept.empty()) return kept;
  ReportFacts facts;
  facts.title = run.title;
  fill_head(facts, run.path, run.facts.command, run.facts);
  facts.sections.push_back(totals_of(run));
  if (std::optional<Section> table = files_of_run(run)) facts.sections.push_back(*std::move(table));
  if (parts.table != nullptr && parts.table->clusters() > 0) {
    TWINSET_ASSIGN(facts.sections.emplace_back(), histograms_of(*parts.table, parts.cancel));
    TWINSET_ASSIGN(facts.sections.emplace_back(), largest_of(parts));
  }
  facts.sections.push_back(section_of_run(run));
  return report_json(std::move(facts));
}

}  // namespace twinset

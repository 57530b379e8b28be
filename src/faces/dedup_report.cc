#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <tuple>

#include "dedup/clusters.h"
#include "faces/fate_sections.h"
#include "faces/histograms.h"
#include "faces/reports.h"
#include "faces/run_report.h"
#include "faces/template_text.h"
#include "run/pair_collector.h"
#include "words/numbers.h"

namespace twinset {
namespace {

constexpr std::size_t most_largest = 12;
constexpr std::size_t most_tiles = 200;
constexpr std::size_t most_widest = 6;
constexpr std::size_t most_members = 8;  ///< listed members of a cluster, the least alike

/// The measure that decided about a record.
double evidence(const ClusterRow& row) {
  return row.fate == Fate::contained ? row.link.containment() : row.link.resemblance();
}

bool less_alike(const ClusterRow& a, const ClusterRow& b) {
  const double x = evidence(a), y = evidence(b);
  return std::tie(x, a.member) < std::tie(y, b.member);
}

struct Cluster {
  DocumentId survivor;
  std::uint64_t members = 1;
  double lowest_resemblance = 1;  ///< of the members that are not contained
  double lowest_containment = 1;  ///< of the members that are
  std::uint64_t contained = 0;
  std::set<std::uint64_t> sources;
  std::vector<ClusterRow> least_alike;
};

/// As much of a cluster as the map shows.
struct SizedCluster {
  DocumentId survivor;
  std::uint64_t members = 0;
};

template <class Sized>
bool larger(const Sized& a, const Sized& b) {
  return a.members != b.members ? a.members > b.members : a.survivor < b.survivor;
}

bool wider(const Cluster& a, const Cluster& b) {
  return a.sources.size() != b.sources.size() ? a.sources.size() > b.sources.size() : larger(a, b);
}

class DedupReport {
 public:
  explicit DedupReport(const DedupFindings& found)
      : job_(found.job),
        options_(found.options),
        documents_(found.documents),
        summary_(found.summary),
        report_(found.job, found.records, found.documents,
                {found.job.thresholds, "survivor", "removed record"}),
        pairs_(found.job.thresholds.resemblance.value()) {}

  Status collect(const RowFile<Proof>& proofs) {
    TWINSET_ASSIGN(std::unique_ptr<ClusterRows> rows, cluster_rows(job_, documents_, proofs));
    TWINSET_TRY(for_each_row(*rows, [&](const ClusterRow& row) {
      if (open_.members > 1 && open_.survivor != row.survivor) end_cluster();
      add_member(row);
    }));
    if (open_.members > 1) end_cluster();
    return {};
  }

  Result<ReportFiles> make() {
    report_.facts.title = "Near-duplicates";
    add(totals_section(summary_));
    add(files_section(summary_, [&](std::string_view file) { return report_.file_name(file); }));
    if (summary_.templates) add_template_sections(*summary_.templates, report_.facts);
    add(histograms());
    TWINSET_TRY(add_largest());
    report_.add_suspicious(
        pairs_,
        "Removed records, each above its survivor, that look least like another version of it: "
        "neither text contains most of the other, their lengths differ, they are of different "
        "files. If anything was removed that should have stayed, it is likely here.");
    add_clusters("widest", "Most files",
                 "The clusters of the most files. Boilerplate and templates look like this.",
                 widest_);
    for (const SeenPair& pair : pairs_.sample()) report_.show(pair, fate_name(pair.fate));
    const bool exact = options_.verify == Check::exact;
    return report_.finish(
        summary_,
        {{"removed at", Value::text(report_.threshold_text())},
         {"proof", Value::text(exact ? "exact: shingle sets compared for every removed record"
                                     : "estimated from sketches")},
         {"keep", Value::text(options_.keep)}});
  }

 private:
  void add_member(const ClusterRow& row) {
    open_.survivor = row.survivor;
    ++open_.members;
    open_.sources.insert(row.survivor.source());
    open_.sources.insert(row.member.source());
    if (row.fate == Fate::contained) {
      ++open_.contained;
      open_.lowest_containment = std::min(open_.lowest_containment, row.link.containment());
    } else {
      open_.lowest_resemblance = std::min(open_.lowest_resemblance, row.link.resemblance());
    }
    if (row.fate == Fate::near) near_.add(row.link.resemblance());
    if (row.fate == Fate::contained) contained_.add(row.link.resemblance());
    insert_bounded(open_.least_alike, row, most_members, less_alike);
    pairs_.add(pair_of(row));
  }

  void end_cluster() {
    sizes_.resize(std::max<std::size_t>(sizes_.size(), std::bit_width(open_.members)));
    ++sizes_[std::bit_width(open_.members) - 1];
    insert_bounded(largest_, open_, most_largest, larger<Cluster>);
    insert_bounded(tiles_, {open_.survivor, open_.members}, most_tiles, larger<SizedCluster>);
    if (open_.sources.size() > 1) insert_bounded(widest_, open_, most_widest, wider);
    open_ = {};
  }

  /// Shows the representative in place of its copy, because its text was verified.
  SeenPair pair_of(const ClusterRow& row) const {
    const std::uint64_t index = documents_.index(row.member);
    const Standing standing = documents_.standing(index);
    const bool folded =
        standing.folded() && !is_copy(row.fate) && !documents_.is_earlier(standing.other);
    return {documents_.index(row.survivor), folded ? standing.other : index, row.fate, row.link,
            row.survivor.source() != row.member.source()};
  }

  ReportDocument document(DocumentId id) const { return document(documents_.index(id)); }
  static ReportDocument document(std::uint64_t index) { return {.index = index}; }

  void add(Section section) { report_.facts.sections.push_back(std::move(section)); }

  Section histograms() const {
    Section section{.name = "histograms", .title = "Histograms"};
    const std::uint64_t copies = summary_.total.identical + summary_.total.lexical;
    if (copies > 0) {
      section.lead = format_count(copies, "removed record is", "removed records are") +
                     " identical or lexically equal to the survivor and not in the resemblance "
                     "chart.";
    }
    section.histograms = {size_histogram(sizes_),
                          resemblance_histogram("Removed records by resemblance to their survivor",
                                                "records", near_, "near", contained_, "contained")};
    return section;
  }

  Status add_largest() {
    if (largest_.empty()) return {};
    std::string lead = "Each is named by its survivor, the one record kept.";
    if (tiles_.size() < summary_.clusters) {
      lead += " The map has the " + format_count(tiles_.size()) + " largest of " +
              format_count(summary_.clusters) + ".";
    }
    add_clusters("largest", "Largest clusters", std::move(lead), largest_);
    std::vector<Tile>& tiles = report_.facts.sections.back().tiles;
    for (const SizedCluster& cluster : tiles_) {
      TWINSET_TRY(report_.add_tile(tiles, documents_.index(cluster.survivor), cluster.members));
      if (tiles.size() <= largest_.size()) tiles.back().link = {"list", "largest", tiles.size()};
    }
    return {};
  }

  void add_clusters(std::string name, std::string title, std::string lead,
                    const std::vector<Cluster>& clusters) {
    if (clusters.empty()) return;
    Section section{.name = std::move(name), .title = std::move(title), .lead = std::move(lead)};
    for (const Cluster& cluster : clusters) section.list.push_back(item_of(cluster));
    add(std::move(section));
  }

  ListItem item_of(const Cluster& cluster) {
    ListItem item{.documents = {document(cluster.survivor)}, .facts = {}, .links = {}};
    item.facts = {{"records", Value::count(cluster.members)},
                  {"files", Value::count(cluster.sources.size())}};
    if (cluster.contained + 1 < cluster.members) {
      item.facts.push_back({"lowest resemblance", report_.share(cluster.lowest_resemblance)});
    }
    if (cluster.contained > 0) {
      item.facts.push_back({"contained", Value::count(cluster.contained)});
      item.facts.push_back({"lowest containment", report_.containment(cluster.lowest_containment)});
    }
    item.links = {report_.show(pair_of(cluster.least_alike.front()), "least alike of its cluster")};
    item.members_name =
        format_count(cluster.least_alike.size(), "removed record", "removed records");
    if (cluster.least_alike.size() + 1 < cluster.members) {
      item.members_name += " of " + format_count(cluster.members - 1);
    }
    for (const ClusterRow& row : cluster.least_alike) {
      const Value share = row.fate == Fate::contained ? report_.containment(evidence(row))
                                                      : report_.share(evidence(row));
      item.members.push_back({document(row.member), {{fate_name(row.fate), share}}});
    }
    return item;
  }

  const Job& job_;
  const DedupOptions& options_;
  const DocumentTable& documents_;
  const DedupSummary& summary_;
  RunReport report_;
  PairCollector pairs_;
  Cluster open_;
  std::vector<std::uint64_t> sizes_;
  ResemblanceBins near_;
  ResemblanceBins contained_;
  std::vector<Cluster> largest_;
  std::vector<Cluster> widest_;
  std::vector<SizedCluster> tiles_;
};

}  // namespace

Result<ReportFiles> dedup_report(const DedupFindings& found) {
  DedupReport report(found);
  TWINSET_TRY(report.collect(found.proofs));
  return report.make();
}

}  // namespace twinset

// Sections come in the order in which a reader asks: how many, how large, which ones, in which
// shape, which are odd, why some words do not count, and whether it is true. If distances, equal
// signatures or shared keys alone joined the documents, no section has a resemblance.
//
// This file's interface is cluster_report(); the rest is private.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "cluster/cluster_fields.h"
#include "faces/histograms.h"
#include "faces/reports.h"
#include "faces/run_report.h"
#include "faces/template_text.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

/// Common shingles in the table; summary.json lists more.
constexpr std::size_t most_listed_shingles = 30;
constexpr std::size_t most_shingle_bytes = 600;

class ClusterReport {
 public:
  explicit ClusterReport(const ClusterFindings& found)
      : job_(found.job),
        facts_(found.facts),
        summary_(found.summary),
        options_(found.options),
        exact_(found.summary.check == Check::exact),
        kind_(link_kind_of(found.summary)),
        report_(found.job, found.records, found.documents,
                {{found.options.resemblance, found.options.containment},
                 "earlier document",
                 "later document"}) {
    for (std::size_t i = 0; i < facts_.graphs.size(); ++i) graph_of_[facts_.graphs[i].cluster] = i;
  }

  Result<ReportFiles> make() {
    report_.facts.title = "Clusters";
    add(totals());
    if (summary_.templates && !summary_.template_pairs) {
      add_template_sections(*summary_.templates, report_.facts);
    }
    add(sizes());
    if (by_distance()) add(distances());
    if (!facts_.clusters.empty()) {
      TWINSET_ASSIGN(Section section, largest());
      add(std::move(section));
    }
    if (!facts_.graphs.empty()) add(shapes());
    report_.add_suspicious(
        facts_.pairs_to_show,
        "Pairs, the later document first, that look least like two versions of one text: neither "
        "contains most of the other, their lengths differ, they are of different files.");
    if (!summary_.common.empty()) add(common());
    for (const SeenPair& pair : facts_.pairs_to_show.sample()) {
      report_.show(pair, fate_name(pair.fate));
    }
    const bool stars = options_.shape == ClusterShape::stars;
    return report_.finish(summary_, {{"shape", Value::text(stars ? "stars" : "components")},
                                     {"joined at", Value::text(joined_at())}});
  }

 private:
  bool by_distance() const { return kind_ == LinkKind::distance; }
  /// Is it known how alike the texts of a pair are?
  bool has_shares() const { return tells_resemblance(kind_); }

  /// What the documents of a pair have.
  std::string joined_at() const {
    if (by_distance()) return distance_text();
    if (kind_ == LinkKind::signature) return "an equal signature";
    return kind_ == LinkKind::nothing ? "a shared key" : report_.threshold_text();
  }

  std::string distance_text() const {
    if (options_.distance.find(':') != std::string::npos) {
      return "a distance of " + visible_name(options_.distance) + " or less, by length";
    }
    const std::uint32_t most = summary_.distances.back().distance;
    return most == 0 ? "equal signatures" : "a distance of " + std::to_string(most) + " or less";
  }

  /// Table 6.2 and its figure (papers/003, section 6.3; S-29).
  Section distances() const {
    Section section{.name = "distances", .title = "Distances"};
    section.lead =
        "At each distance, the pairs whose signatures differ in at most so many bits, those of "
        "copies included, and the clusters that they make. The mean size is that of the clusters "
        "which each document leads, over the documents that are near another one at the largest "
        "distance.";
    Table table{{"distance at most", "pairs", "clusters", "documents", "mean size", "without self"},
                {}};
    Histogram sizes{.title = "Mean size of a cluster, rounded",
                    .across = "distance at most",
                    .up = "documents",
                    .series = {"documents"},
                    .bars = {}};
    Histogram pairs{.title = "Pairs",
                    .across = "distance at most",
                    .up = "pairs",
                    .series = {"pairs"},
                    .bars = {}};
    const auto mean = [](double size) {
      const auto cents = static_cast<std::uint64_t>(std::llround(size * 100));
      const std::string part = std::to_string(100 + cents % 100);
      return format_count(cents / 100) + "." + part.substr(1);
    };
    for (const DistanceCounts& row : summary_.distances) {
      const std::string name = std::to_string(row.distance);
      table.rows.push_back({Value::text(name), Value::count(row.pairs), Value::count(row.clusters),
                            Value::count(row.documents), Value::text(mean(row.mean_size)),
                            Value::text(mean(row.mean_size_without_self))});
      const auto rounded = static_cast<std::uint64_t>(std::llround(row.mean_size));
      sizes.bars.push_back({name, name, {rounded}});
      pairs.bars.push_back({name, name, {row.pairs}});
    }
    section.histograms = {std::move(sizes), std::move(pairs)};
    section.tables.push_back(std::move(table));
    return section;
  }

  void add(Section section) { report_.facts.sections.push_back(std::move(section)); }

  Section totals() const {
    Section section{.name = "totals"};
    section.lead = options_.shape == ClusterShape::stars
                       ? "Each document of a cluster is joined to its representative by a pair "
                       : "Documents are in one cluster if they are connected by pairs ";
    section.lead += (has_shares() || by_distance() ? "of " : "with ") + joined_at() + ". ";
    if (!has_shares()) {
      section.lead += kind_ == LinkKind::nothing
                          ? "Nothing else was compared, not the texts either; "
                          : "Signatures alone were compared, not the texts; ";
    } else {
      section.lead += exact_ ? "Shares are exact, of the shingles of the two texts; "
                             : "Shares are estimated from samples of the two texts; ";
    }
    section.lead += "copies are in the cluster of their original. Nothing was removed.";
    if (!summary_.counts_keys && has_shares()) {
      section.lead += " Only candidates were compared, not every pair";
      section.lead += summary_.plan.empty() ? "." : ": the scheme " + summary_.plan + ".";
    }
    std::string read = format_count(summary_.read, "record", "records") + " in " +
                       format_count(job_.sources(), "file", "files");
    if (summary_.text_bytes > 0) read += ", " + format_bytes(summary_.text_bytes) + " of text";
    if (summary_.filtered > 0) read += "; " + format_count(summary_.filtered) + " filtered";
    if (summary_.quarantined > 0) {
      read += "; " + format_count(summary_.quarantined) + " quarantined";
    }
    if (summary_.carried > 0) read += "; " + format_count(summary_.carried) + " carried";
    const std::uint64_t others = summary_.kept_pairs - summary_.edges;
    const ClusterCounts& all = summary_.all;
    section.numbers = {
        {"Documents", Value::count(summary_.documents), std::move(read)},
        {"Copies", Value::count(summary_.identical + summary_.lexical + summary_.shingles),
         format_count(summary_.identical) + " identical, " + format_count(summary_.lexical) +
             " lexical" +
             (summary_.shingles == 0
                  ? ""
                  : ", " + format_count(summary_.shingles) + " of the same shingles")},
        {"Pairs", Value::count(summary_.edges),
         by_distance()   ? "one for each document of an equal signature"
         : !has_shares() ? "without copies"
         : others > 0    ? format_count(others) + " more below the threshold kept"
                         : "at the threshold, without copies"},
        {"Clusters", Value::count(all.clusters),
         format_count(all.documents, "document", "documents") + " in them, " +
             format_percent(all.documents, summary_.documents)},
        {"Largest", Value::count(summary_.largest), "documents in one cluster"}};
    if (summary_.template_pairs) {
      section.numbers.push_back(
          {"Template pairs", Value::count(*summary_.template_pairs),
           "of the pairs: without templates they do not reach " + summary_.resemblance.text()});
    }
    const std::uint64_t copies = summary_.identical_only.documents;
    section.parts = {{"alone", Fate::kept, summary_.documents - all.documents},
                     {"in clusters of identical documents", Fate::identical, copies},
                     {"in other clusters", Fate::near, all.documents - copies}};
    return section;
  }

  Section sizes() const {
    Section section{.name = "sizes", .title = "Sizes"};
    const std::uint64_t copies = summary_.identical_only.clusters;
    if (copies > 0) {
      section.lead = "In " + format_count(copies, "cluster", "clusters") +
                     " all documents are identical, in " +
                     format_count(summary_.all.clusters - copies) + " they are not.";
    }
    section.histograms = {size_histogram(summary_.sizes)};
    if (!has_shares()) return section;
    section.histograms.push_back(resemblance_histogram(
        exact_ ? "Pairs by resemblance" : "Pairs by estimated resemblance", "pairs",
        facts_.edge_resemblance, "at the threshold", facts_.other_resemblance, "kept below it"));
    return section;
  }

  Result<Section> largest() {
    Section section{.name = "largest", .title = "Largest clusters"};
    section.lead = options_.lead.empty()
                       ? "Each is named by its representative, the first of its documents."
                       : "Each is named by its representative, the first of its documents by " +
                             options_.lead + ".";
    if (!std::all_of(facts_.clusters.begin(), facts_.clusters.end(),
                     [](const ClusterFacts::Cluster& cluster) { return cluster.among_largest; })) {
      section.lead += " Those with the most different documents are listed beside the largest.";
    }
    section.lead += " Different documents are not copies of one another.";
    if (summary_.counts_keys) {
      section.lead +=
          " If nearly all their possible pairs reach the threshold, they are one text; if few do, "
          "a "
          "chain of versions, or texts that share a passage.";
    }
    if (facts_.sizes.size() < summary_.all.clusters) {
      section.lead += " The map has the " + format_count(facts_.sizes.size()) + " largest of " +
                      format_count(summary_.all.clusters) + ".";
    }
    std::map<std::uint32_t, std::uint64_t> listed;
    for (std::size_t i = 0; i < facts_.clusters.size(); ++i) {
      section.list.push_back(item_of(facts_.clusters[i], i));
      listed[facts_.clusters[i].representative] = i + 1;
    }
    for (const ClusterFacts::Size& cluster : facts_.sizes) {
      TWINSET_TRY(report_.add_tile(section.tiles, cluster.representative, cluster.documents));
      const auto item = listed.find(cluster.representative);
      if (item != listed.end()) section.tiles.back().link = {"list", "largest", item->second};
    }
    return section;
  }

  ListItem item_of(const ClusterFacts::Cluster& cluster, std::size_t index) {
    ListItem item{.documents = {{.index = cluster.representative}}, .facts = {}, .links = {}};
    item.facts = {{"documents", Value::count(cluster.documents)},
                  {"different", Value::count(cluster.different())}};
    if (cluster.identical > 0) item.facts.push_back({"identical", Value::count(cluster.identical)});
    if (cluster.lexical > 0) item.facts.push_back({"lexical", Value::count(cluster.lexical)});
    if (cluster.shingles > 0) {
      item.facts.push_back({"of the same shingles", Value::count(cluster.shingles)});
    }
    if (cluster.edges > 0) {
      Fact pairs{"pairs", Value::count(cluster.edges)};
      const std::uint64_t possible = cluster.different() * (cluster.different() - 1) / 2;
      if (summary_.counts_keys) {
        pairs.note = format_percent(cluster.edges, possible) + " of all possible";
      }
      item.facts.push_back(std::move(pairs));
      if (has_shares()) {
        item.facts.push_back({"lowest resemblance", report_.share(cluster.lowest)});
        item.facts.push_back({"on average", report_.share(cluster.mean)});
      } else if (by_distance()) {
        const Overlap& bits = cluster.weakest.link.numbers;
        item.facts.push_back({"largest distance of a pair", Value::count(bits.shared),
                              "of " + format_count(bits.later, "bit", "bits")});
      }
    }
    if (cluster.contained > 0) {
      item.facts.push_back({"pairs by containment alone", Value::count(cluster.contained)});
    }
    const auto graph = graph_of_.find(index);
    if (graph != graph_of_.end()) item.links.push_back({"graph", "shapes", graph->second + 1});
    item.links.push_back(report_.show(cluster.weakest, has_shares() || by_distance()
                                                           ? "least alike of its cluster"
                                                           : "a pair of its cluster"));
    return item;
  }

  Section shapes() const {
    Section section{.name = "shapes", .title = "Shapes"};
    section.lead =
        "The clusters with the most different documents. A dot is a document, larger with its "
        "copies; the orange one is the representative. A line is a pair at the threshold, "
        "stronger the more alike";
    if (options_.containment.has_value()) section.lead += ", dashed if by containment alone";
    section.lead +=
        summary_.counts_keys
            ? ". Versions make a chain, copies a ball; a part that hangs on one line is "
              "worth a look. "
            : ". Lines are of candidates only: where one is missing, the two may still be "
              "alike. ";
    section.lead += "In a sample, a dot without a line is connected by documents not drawn.";
    for (const ClusterFacts::Graph& graph : facts_.graphs) section.graphs.push_back(drawn(graph));
    return section;
  }

  Graph drawn(const ClusterFacts::Graph& from) const {
    const ClusterFacts::Cluster& cluster = facts_.clusters[from.cluster];
    const std::string number = format_count(from.cluster + 1);
    Graph graph{.name = {"Cluster " + number, "largest", from.cluster + 1},
                .note = {},
                .threshold = options_.resemblance.value(),
                .nodes = {},
                .edges = {}};
    for (std::size_t i = 0; i < from.nodes.size(); ++i) {
      const std::uint32_t shown = i == 0 ? cluster.representative : from.nodes[i];
      graph.nodes.push_back({{.index = shown}, from.copies[i]});
    }
    for (const SharedPair& edge : from.edges) {
      graph.edges.push_back({edge.a, edge.b, edge.keys.resemblance()});
    }
    if (from.nodes.size() < cluster.different()) {
      graph.note = "A sample: " + format_count(from.nodes.size()) + " of " +
                   format_count(cluster.different()) + " different documents, " +
                   (from.nearest ? "those nearest to the representative" : "drawn at random") +
                   ", and " + format_count(from.edges.size(), "pair", "pairs") + " of " +
                   format_count(cluster.edges);
    } else {
      graph.note = "All " + format_count(from.nodes.size()) + " different documents and " +
                   format_count(from.edges.size(), "pair", "pairs");
    }
    return graph;
  }

  Section common() const {
    Section section{.name = "common", .title = "Common shingles"};
    section.lead = format_count(summary_.common_keys, "shingle", "shingles") + " in more than " +
                   format_count(options_.max_group) + " documents each " +
                   (exact_ ? "brought no pair together." : "did not count for any pair.");
    Table table{{"documents", "words", "first seen in"}, {}};
    for (const CommonShingle& shingle : summary_.common) {
      if (table.rows.size() == most_listed_shingles) break;
      table.rows.push_back(
          {Value::count(shingle.documents),
           Value::text(visible_text(first_words(shingle.text, most_shingle_bytes))),
           Value::text(visible_name(plain_id(shingle.sample_id)))});
    }
    if (table.rows.size() < summary_.common_keys) section.lead += " These are the most common.";
    section.tables.push_back(std::move(table));
    return section;
  }

  const Job& job_;
  const ClusterFacts& facts_;
  const ClusterSummary& summary_;
  const ClusterOptions& options_;
  bool exact_;
  LinkKind kind_;
  RunReport report_;
  std::map<std::size_t, std::size_t> graph_of_;  ///< by cluster
};

}  // namespace

Result<ReportFiles> cluster_report(const ClusterFindings& found) {
  return ClusterReport(found).make();
}

}  // namespace twinset

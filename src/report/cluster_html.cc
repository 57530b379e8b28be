// The page from top to bottom, in the order in which a reader asks: how many, how large,
// which, of what shape, why some words do not count, and is it true.
//
// Every string of the report goes through html_text or html_name; everything else written
// here is a constant or a number.
//
// This file's interface is cluster_html.h; the rest is private.
#include "report/cluster_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "report/charts.h"
#include "report/graph_view.h"
#include "report/numbers.h"
#include "report/page.h"
#include "report/pair_view.h"
#include "report/treemap.h"
#include "report/visible.h"

namespace twinset {
namespace {

/// Of a common shingle.
constexpr std::size_t most_words_bytes = 600;

void append_page_navigation(std::string& out, const ClusterReport& report) {
  std::vector<PageSection> sections = {{"sizes", "Sizes"}};
  if (!report.list.empty()) sections.push_back({"largest", "Largest clusters"});
  if (!report.graphs.empty()) sections.push_back({"shapes", "Shapes"});
  if (!report.common.empty()) sections.push_back({"common", "Common shingles"});
  if (!report.pairs.empty()) sections.push_back({"pairs", "Side by side"});
  sections.push_back({"run", "The run"});
  append_navigation(out, sections);
}

void append_rule(std::string& out, const ClusterReport& report) {
  out += "<p class=\"lead\">";
  out += report.stars ? "Each document of a cluster is joined to its representative by a pair of "
                      : "Documents are in one cluster if they are connected by pairs of ";
  out += html_text(threshold_text(report.run)) + ". ";
  out += report.run.verified_exactly ? "Shares are exact, of the shingles of the two texts; "
                                     : "Shares are estimated from samples of the two texts; ";
  out += "copies are in the cluster of their original. Nothing was removed.";
  if (!report.all_pairs_seen) {
    out += " Only candidates were held against each other, not every pair";
    out += report.plan.empty() ? "." : ": the scheme " + html_text(report.plan) + ".";
  }
  out += "</p>";
}

void append_totals(std::string& out, const ClusterReport& report) {
  append_warnings(out, report.warnings);
  append_rule(out, report);
  out += "<dl class=\"tiles\">";
  std::string read = format_count(report.read, "record", "records") + " in " +
                     format_count(report.files, "file", "files");
  if (report.run.text_bytes > 0) read += ", " + format_bytes(report.run.text_bytes) + " of text";
  if (report.filtered > 0) read += "; " + format_count(report.filtered) + " filtered";
  if (report.quarantined > 0) read += "; " + format_count(report.quarantined) + " quarantined";
  append_tile(out, "Documents", report.documents, read);
  append_tile(
      out, "Copies", report.identical + report.lexical,
      format_count(report.identical) + " identical, " + format_count(report.lexical) + " lexical");
  append_tile(out, "Pairs", report.edges,
              report.kept_pairs > report.edges ? format_count(report.kept_pairs - report.edges) +
                                                     " more below the threshold kept"
                                               : "at the threshold, copies apart");
  append_tile(out, "Clusters", report.clusters,
              format_count(report.clustered, "document", "documents") + " in them, " +
                  html_text(format_percent(report.clustered, report.documents)));
  append_tile(out, "Largest", report.largest,
              report.largest == 1 ? "document in one cluster" : "documents in one cluster");
  out += "</dl>";
  const std::uint64_t alone = report.documents - report.clustered;
  const PagePart parts[] = {
      {"alone", "c-kept", alone},
      {"in clusters of identical documents", "c-identical", report.identical_clustered},
      {"in other clusters", "c-near", report.clustered - report.identical_clustered}};
  append_strip(out, parts, report.documents, "Shares of all documents; the numbers follow");
}

/// Bars by powers of two.
Chart sizes_chart(const std::vector<std::uint64_t>& sizes) {
  Chart chart{.title = "Clusters by size",
              .across = "documents in the cluster",
              .up = "clusters",
              .first_name = {},
              .second_name = {},
              .bars = {},
              .logarithmic = true};
  for (std::size_t i = 1; i < sizes.size() && i < 64; ++i) {
    const std::uint64_t first = std::uint64_t{1} << i;
    chart.bars.push_back({short_count(first) + "+",
                          format_count(first) + " to " + format_count(2 * first - 1), sizes[i], 0});
  }
  return chart;
}

void append_sizes(std::string& out, const ClusterReport& report) {
  append_section(out, {"sizes", "Sizes"});
  out += "<p class=\"lead\">";
  if (report.identical_clusters > 0) {
    out += format_count(report.identical_clusters, "cluster is", "clusters are") + " of " +
           (report.identical_clusters == 1 ? "nothing but copies of one text"
                                           : "nothing but copies of one text each") +
           ", " + format_count(report.clusters - report.identical_clusters) + " of others.";
  }
  out += "</p><div class=\"charts\">";
  append_chart(out, sizes_chart(report.sizes));
  Chart pairs = resemblance_chart(report.edge_resemblance, report.other_resemblance);
  pairs.title =
      report.run.verified_exactly ? "Pairs by resemblance" : "Pairs by estimated resemblance";
  pairs.up = "pairs";
  pairs.first_name = "at the threshold";
  if (!pairs.second_name.empty()) pairs.second_name = "kept below it";
  append_chart(out, pairs);
  out += "</div></section>\n";
}

std::string number_id(const char* what, std::size_t index) {
  return fmt::format("{}-{}", what, index + 1);
}

void append_map(std::string& out, const ClusterReport& report) {
  std::vector<TreemapTile> tiles;
  std::uint64_t shown = 0;
  for (std::size_t i = 0; i < report.list.size(); ++i) {
    const ListedCluster& cluster = report.list[i];
    if (!cluster.among_largest) continue;
    shown += cluster.documents;
    tiles.push_back({cluster.documents, number_id("cluster", i), cluster.representative.id,
                     format_count(cluster.documents) + " documents, " +
                         format_count(cluster.different()) +
                         " different: " + cluster.representative.id,
                     cluster.different() == 1});
  }
  if (tiles.size() < 2) return;  // One tile tells nothing.
  out +=
      "<p class=\"lead\">Each tile is a cluster, its area the number of its documents; clusters of "
      "nothing but copies are gray. Shown are ";
  if (tiles.size() < report.clusters) {
    out += "the " + format_count(tiles.size()) + " largest of " + format_count(report.clusters) +
           " clusters, with " + html_text(format_percent(shown, report.clustered)) +
           " of the documents in clusters.</p>";
  } else {
    out += "all " + format_count(tiles.size()) + " clusters.</p>";
  }
  append_treemap(out, tiles, "Largest clusters by documents; the list follows");
}

void append_name(std::string& out, const ReportDocument& document) {
  out += "<bdi class=\"id\">" + html_name(document.id) + "</bdi><br><span class=\"quiet\"><bdi>" +
         html_name(document.file) + "</bdi>, record " + format_count(document.record) + "</span>";
}

void append_cluster(std::string& out, const ClusterReport& report, std::size_t index) {
  const ListedCluster& cluster = report.list[index];
  fmt::format_to(std::back_inserter(out),
                 "<li id=\"cluster-{0}\"><div><span class=\"quiet\">{0}</span> ", index + 1);
  append_name(out, cluster.representative);
  out += "</div><div class=\"facts\"><b>" +
         format_count(cluster.documents, "document", "documents") +
         "</b><br><span class=\"quiet\">" + format_count(cluster.different()) + " different";
  if (cluster.identical > 0) out += ", " + format_count(cluster.identical) + " identical";
  if (cluster.lexical > 0) out += ", " + format_count(cluster.lexical) + " lexical";
  if (cluster.edges > 0) {
    const auto share = [&](double value) {
      return html_text(format_share(value, report.run.threshold));
    };
    out += "<br>" + format_count(cluster.edges, "pair", "pairs");
    if (report.all_pairs_seen) {
      out +=
          ", " + html_text(format_percent(cluster.edges, cluster.all_pairs())) + " of all possible";
    }
    out += "<br>resemblance " + share(cluster.lowest) + " at least, " + share(cluster.mean) +
           " on average";
    if (cluster.contained > 0) {
      out += "<br>" + format_count(cluster.contained, "pair", "pairs") + " by containment alone";
    }
  }
  out += "</span>";
  std::string links;
  const auto link = [&](const std::string& target, const char* name) {
    links += (links.empty() ? "" : " &middot; ");
    links += "<a href=\"#" + target + "\">" + name + "</a>";
  };
  const auto of_this = [&](const auto& item) { return item.cluster == index; };
  if (std::any_of(report.graphs.begin(), report.graphs.end(), of_this)) {
    link(number_id("graph", index), "graph");
  }
  const auto pair = std::find_if(report.pairs.begin(), report.pairs.end(), of_this);
  if (pair != report.pairs.end()) {
    link(number_id("pair", static_cast<std::size_t>(pair - report.pairs.begin())), "weakest pair");
  }
  if (!links.empty()) out += "<br>" + links;
  out += "</div></li>";
}

void append_clusters(std::string& out, const ClusterReport& report) {
  if (report.list.empty()) return;
  append_section(out, {"largest", "Largest clusters"});
  append_map(out, report);
  const auto others = std::count_if(report.list.begin(), report.list.end(),
                                    [](const ListedCluster& c) { return !c.among_largest; });
  out += "<p class=\"lead\"><br>Each is named by its representative, the first of its documents.";
  if (others > 0) {
    out += " Beside the largest are listed those of most different documents.";
  }
  out += " Different documents are those that are no copy of another.";
  if (report.all_pairs_seen) {
    out +=
        " Where nearly all their possible pairs reach the threshold, they are one text; where few "
        "do, a chain of versions, or texts that share a passage.";
  }
  out += "</p><ol class=\"clusters\">";
  for (std::size_t i = 0; i < report.list.size(); ++i) append_cluster(out, report, i);
  out += "</ol></section>\n";
}

void append_shapes(std::string& out, const ClusterReport& report) {
  if (report.graphs.empty()) return;
  append_section(out, {"shapes", "Shapes"});
  out +=
      "<p class=\"lead\">The clusters of most different documents: a dot is a document, larger "
      "with its copies, a line a pair at the threshold, stronger the more alike";
  if (report.run.containment_threshold > 0) out += ", dashed if by containment alone";
  out += ". The representative is of the other color. ";
  out += report.all_pairs_seen
             ? "Versions make a chain, copies a ball; what hangs on one thread is "
               "worth a look. "
             : "Lines are of candidates only: where one is missing, the two may be "
               "alike all the same. ";
  out +=
      "In a sample, what has no line is connected by documents that are not drawn.</p><div "
      "class=\"charts\">";
  for (const ClusterGraph& graph : report.graphs) {
    append_graph(out, graph, report.list[graph.cluster], graph.cluster + 1, report.run.threshold);
  }
  out += "</div></section>\n";
}

/// A shingle has no line breaks worth seeing.
std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (space && !line.empty() && line.back() == ' ') continue;
    line += space ? ' ' : c;
  }
  return line;
}

void append_common(std::string& out, const ClusterReport& report) {
  if (report.common.empty()) return;
  append_section(out, {"common", "Common shingles"});
  const std::size_t shown = std::min(report.common.size(), most_listed_shingles);
  out +=
      "<p class=\"lead\">" + format_count(report.common_keys, "shingle", "shingles") +
      " in more than " + format_count(report.max_group) + " documents each " +
      (report.run.verified_exactly ? "brought no pair together. " : "did not count for any pair. ");
  out += shown < report.common_keys ? "These are the most common." : "";
  out +=
      "</p><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Common "
      "shingles\"><table><thead><tr><th scope=\"col\" class=\"n\">documents</th><th "
      "scope=\"col\">words</th><th scope=\"col\">first seen in</th></tr></thead><tbody>";
  for (std::size_t i = 0; i < shown; ++i) {
    const ListedShingle& shingle = report.common[i];
    out += "<tr><td class=\"n\">" + format_count(shingle.documents) +
           "</td><td class=\"name\"><bdi>" +
           html_name(on_one_line(shingle.text), most_words_bytes) +
           "</bdi></td><td class=\"name\"><bdi class=\"id\">" + html_name(shingle.sample_id) +
           "</bdi></td></tr>";
  }
  out += "</tbody></table></div></section>\n";
}

void append_cluster_pair(std::string& out, const ClusterReport& report, std::size_t index) {
  const ClusterPair& shown = report.pairs[index];
  const char* const tag = shown.weakest ? "weakest pair" : "typical pair";
  std::string counted;
  if (!report.run.verified_exactly && !report.all_pairs_seen) {
    counted = "estimated as " +
              html_text(format_share(shown.pair.resemblance, report.run.threshold)) + " &middot; ";
  } else if (!report.run.verified_exactly) {
    counted =
        fmt::format("counted as {}, {} of {} &middot; ",
                    html_text(format_share(shown.pair.resemblance, report.run.threshold)),
                    format_count(shown.shared_keys), format_count(shown.all_keys, "key", "keys"));
  }
  counted += fmt::format("<a href=\"#cluster-{0}\">cluster {0}</a>", shown.cluster + 1);
  const char* const kind = fate_name(shown.pair.kind);
  if (shown.unread.empty()) {
    append_pair(out, shown.pair, index + 1, report.run,
                {tag, kind, "A", "B", " &middot; " + counted});
    return;
  }
  fmt::format_to(std::back_inserter(out),
                 "<article class=\"pair\" id=\"pair-{}\"><h3><span class=\"kind {}\">{}</span>"
                 "</h3><p class=\"quiet\">{}</p><div class=\"sides\"><div class=\"row head\">"
                 "<div class=\"side\">",
                 index + 1, kind, tag, counted);
  append_name(out, shown.pair.survivor);
  out += "</div><div class=\"side\">";
  append_name(out, shown.pair.removed);
  out += "</div></div><p class=\"more\">The texts are not shown: " +
         html_name(shown.unread, most_line_bytes) + "</p></div></article>";
}

void append_pairs(std::string& out, const ClusterReport& report) {
  if (report.pairs.empty()) return;
  append_section(out, {"pairs", "Side by side"});
  out +=
      "<p class=\"lead\">Of each cluster drawn above the pair least alike, and one in the middle. "
      "The numbers are exact, of the two texts, common shingles included";
  if (!report.run.verified_exactly) out += "; beside them stands what was counted";
  out +=
      ". <mark>Shared</mark> text lies in a shingle that both have; <del>only in A</del>, "
      "<ins>only "
      "in B</ins>, <mark class=\"moved\">elsewhere in the other</mark>. Spaces, punctuation and "
      "case are not compared.</p>";
  for (std::size_t i = 0; i < report.pairs.size(); ++i) append_cluster_pair(out, report, i);
  out += "</section>\n";
}

void append_stages(std::string& out, const ClusterReport& report) {
  if (report.stages.empty()) return;
  out +=
      "<details><summary>Stages</summary><table><thead><tr><th scope=\"col\">stage</th><th "
      "scope=\"col\" class=\"n\">time</th><th scope=\"col\" class=\"n\">of processors</th></tr>"
      "</thead><tbody>";
  for (const ReportStage& stage : report.stages) {
    out += "<tr><td>" + html_text(stage.name) + "</td><td class=\"n\">" +
           format_seconds(stage.seconds) + "</td><td class=\"n\">" +
           format_seconds(stage.cpu_seconds) + "</td></tr>";
  }
  out += "</tbody></table></details>";
}

void append_run(std::string& out, const ClusterReport& report) {
  const ReportRun& run = report.run;
  append_section(out, {"run", "The run"});
  out += "<dl class=\"run\">";
  append_fact(out, "command", run.command, true);
  append_fact(out, "scheme", run.scheme, true);
  append_fact(out, "analyzer", run.analyzer);
  append_fact(out, "shape", report.stars ? "stars" : "components");
  append_fact(out, "joined at", threshold_text(run));
  append_fact(out, "started", run.started);
  if (run.seconds > 0) {
    append_fact(out, "took", took_text(run.seconds, run.threads, run.text_bytes));
  }
  if (report.peak_memory_bytes > 0) {
    append_fact(out, "memory", format_bytes(report.peak_memory_bytes) + " at most");
  }
  append_fact(out, "version", run.version);
  out += "</dl>";
  append_stages(out, report);
  out += "</section>\n";
}

}  // namespace

std::string cluster_html_report(const ClusterReport& report) {
  std::string out;
  append_page_head(out, "Clusters", report.run.title);
  append_page_navigation(out, report);
  append_totals(out, report);
  append_sizes(out, report);
  append_clusters(out, report);
  append_shapes(out, report);
  append_common(out, report);
  append_pairs(out, report);
  append_run(out, report);
  append_page_foot(out, "");
  return out;
}

}  // namespace twinset

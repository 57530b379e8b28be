// The page from top to bottom: what happened in five numbers and a strip, the
// warnings, the files, two histograms, the clusters worth a look, pairs side by
// side, and how the run was made.
//
// Every string of the report goes through html_text or html_name; everything else written
// here is a constant or a number.
//
// This file's interface is html.h; the rest is private.
#include "report/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <vector>

#include "report/charts.h"
#include "report/numbers.h"
#include "report/page.h"
#include "report/pair_view.h"
#include "report/visible.h"

namespace twinset {
namespace {

void append_page_navigation(std::string& out, const Report& report) {
  std::vector<PageSection> sections = {{"files", "Files"}, {"histograms", "Histograms"}};
  if (!report.largest.empty()) sections.push_back({"largest", "Largest clusters"});
  if (!report.least_alike.empty() || !report.widest.empty()) {
    sections.push_back({"suspicious", "Most suspicious"});
  }
  if (!report.pairs.empty()) sections.push_back({"pairs", "Side by side"});
  sections.push_back({"run", "The run"});
  append_navigation(out, sections);
}

/// Every record is in exactly one part.
std::array<PagePart, 7> parts_of(const Counts& counts) {
  return {{{"kept", "c-kept", counts.kept},
           {"identical", "c-identical", counts.identical},
           {"lexical", "c-lexical", counts.lexical},
           {"near", "c-near", counts.near},
           {"contained", "c-contained", counts.contained},
           {"filtered", "c-filtered", counts.filtered},
           {"quarantined", "c-quarantined", counts.quarantined}}};
}

void append_totals(std::string& out, const Report& report) {
  const Counts& totals = report.totals;
  append_warnings(out, report.warnings);
  out += "<dl class=\"tiles\">";
  append_tile(
      out, "Read", totals.read,
      format_count(report.files.size(), "file", "files") +
          (report.run.text_bytes > 0 ? ", " + format_bytes(report.run.text_bytes) + " of text"
                                     : std::string()));
  append_tile(out, "Kept", totals.kept, html_text(format_percent(totals.kept, totals.read)));
  append_tile(out, "Removed", totals.removed(),
              html_text(format_percent(totals.removed(), totals.read)));
  append_tile(out, "Clusters", report.clusters, "a survivor and what it stands for");
  append_tile(out, "Set aside", totals.filtered + totals.quarantined,
              format_count(totals.filtered) + " filtered, " + format_count(totals.quarantined) +
                  " quarantined");
  out += "</dl>";
  append_strip(out, parts_of(totals), totals.read, "Shares of all records; the numbers follow");
}

void append_meter(std::string& out, std::uint64_t part, std::uint64_t whole) {
  const double width =
      whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
  fmt::format_to(std::back_inserter(out),
                 "<svg class=\"meter\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" "
                 "aria-hidden=\"true\"><rect class=\"track\" width=\"100\" height=\"8\"/>"
                 "<rect class=\"fill\" width=\"{:.1f}\" height=\"8\"/></svg>",
                 width);
}

void append_file_row(std::string& out, const ReportFile& file) {
  const Counts& counts = file.counts;
  out += "<tr><td class=\"name\"><bdi class=\"id\">" + html_name(file.name) + "</bdi>";
  if (file.reference) out += " <span class=\"kind\">reference</span>";
  out += "</td>";
  const auto number = [&](std::uint64_t count) {
    out += count == 0 ? "<td class=\"n quiet\">0</td>"
                      : "<td class=\"n\">" + format_count(count) + "</td>";
  };
  number(counts.read);
  number(counts.kept);
  out +=
      "<td class=\"n\">" + html_text(format_percent(counts.removed(), counts.read)) + "</td><td>";
  append_meter(out, counts.removed(), counts.read);
  out += "</td>";
  for (const std::uint64_t count :
       {counts.identical, counts.lexical, counts.near, counts.contained}) {
    number(count);
  }
  number(counts.filtered);
  number(counts.quarantined);
  out += "</tr>";
}

void append_files(std::string& out, const Report& report) {
  append_section(out, {"files", "Files"});
  std::vector<const ReportFile*> shown;
  for (const ReportFile& file : report.files) shown.push_back(&file);
  if (shown.size() > most_listed_files) {
    std::stable_sort(shown.begin(), shown.end(), [](const ReportFile* a, const ReportFile* b) {
      return a->counts.removed() > b->counts.removed();
    });
    out += "<p class=\"lead\">The " + format_count(most_listed_files) + " of " +
           format_count(shown.size()) + " files that lost most; all are in summary.json.</p>";
    shown.resize(most_listed_files);
  } else {
    out += "<p class=\"lead\">Every record read is kept, removed, filtered or quarantined.</p>";
  }
  out +=
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Files\"><table><thead><tr>"
      "<th scope=\"col\">file</th>";
  const auto heading = [&](const char* name) {
    fmt::format_to(std::back_inserter(out), "<th scope=\"col\" class=\"n\">{}</th>", name);
  };
  for (const char* name : {"read", "kept", "removed"}) heading(name);
  out += "<th aria-hidden=\"true\"></th>";
  for (const char* name :
       {"identical", "lexical", "near", "contained", "filtered", "quarantined"}) {
    heading(name);
  }
  out += "</tr></thead><tbody>";
  for (const ReportFile* file : shown) append_file_row(out, *file);
  out += "</tbody></table></div></section>\n";
}

void append_histograms(std::string& out, const Report& report) {
  append_section(out, {"histograms", "Histograms"});
  out += "<p class=\"lead\">";
  const std::uint64_t copies = report.totals.identical + report.totals.lexical;
  if (copies > 0) {
    out += format_count(copies, "removed record is", "removed records are") +
           " identical or lexically equal to the survivor and not in the resemblance chart.";
  }
  out += "</p><div class=\"charts\">";
  append_chart(out, cluster_size_chart(report.cluster_sizes));
  append_chart(out, resemblance_chart(report.near_resemblance, report.contained_resemblance));
  out += "</div></section>\n";
}

/// The share a record went by, never shown below the threshold it reached.
std::string evidence_text(const ReportMember& member, const ReportRun& run) {
  return format_share(member.evidence(),
                      member.kind == Fate::contained ? run.containment_threshold : run.threshold);
}

void append_examples(std::string& out, const ReportCluster& cluster, const ReportRun& run) {
  if (cluster.examples.empty()) return;
  out += "<details><summary>" +
         format_count(cluster.examples.size(), "removed record", "removed records") +
         (cluster.examples.size() + 1 < cluster.members ? " of " + format_count(cluster.members - 1)
                                                        : std::string()) +
         "</summary><table><tbody>";
  for (const ReportMember& member : cluster.examples) {
    fmt::format_to(
        std::back_inserter(out),
        "<tr><td class=\"n\">{}</td><td>{}</td><td class=\"name\"><bdi class=\"id\">{}</bdi> "
        "<span class=\"quiet\"><bdi>{}</bdi>, record {}</span></td></tr>",
        html_text(evidence_text(member, run)), fate_name(member.kind),
        html_name(member.document.id), html_name(member.document.file),
        format_count(member.document.record));
  }
  out += "</tbody></table></details>";
}

/// Which of a cluster's numbers comes first.
enum class Fact : std::uint8_t { members, resemblance, sources };

void append_cluster(std::string& out, const ReportCluster& cluster, Fact fact,
                    const ReportRun& run) {
  out += "<li><div><bdi class=\"id\">" + html_name(cluster.survivor.id) +
         "</bdi><br><span class=\"quiet\"><bdi>" + html_name(cluster.survivor.file) +
         "</bdi>, record " + format_count(cluster.survivor.record) + "</span></div>";
  std::vector<std::string> facts = {
      format_count(cluster.members, "record", "records"),
      "lowest resemblance " + html_text(format_share(cluster.lowest_resemblance, run.threshold)),
      format_count(cluster.sources, "file", "files")};
  const auto first = facts.begin() + static_cast<std::ptrdiff_t>(fact);
  std::rotate(facts.begin(), first, first + 1);
  if (cluster.contained > 0) {
    facts.push_back(format_count(cluster.contained) + " contained, lowest " +
                    html_text(format_share(cluster.lowest_containment, run.containment_threshold)));
  }
  out += "<div class=\"facts\"><b>" + facts[0] + "</b><br><span class=\"quiet\">";
  for (std::size_t i = 1; i < facts.size(); ++i) out += (i > 1 ? " &middot; " : "") + facts[i];
  out += "</span></div>";
  append_examples(out, cluster, run);
  out += "</li>";
}

void append_clusters(std::string& out, std::span<const ReportCluster> clusters, Fact fact,
                     const ReportRun& run) {
  out += "<ol class=\"clusters\">";
  for (const ReportCluster& cluster : clusters) append_cluster(out, cluster, fact, run);
  out += "</ol>";
}

void append_cluster_sections(std::string& out, const Report& report) {
  if (!report.largest.empty()) {
    append_section(out, {"largest", "Largest clusters"});
    out +=
        "<p class=\"lead\">Each is named by its survivor, the one record "
        "kept.</p>";
    append_clusters(out, report.largest, Fact::members, report.run);
    out += "</section>\n";
  }
  if (report.least_alike.empty() && report.widest.empty()) return;
  append_section(out, {"suspicious", "Most suspicious clusters"});
  if (!report.least_alike.empty()) {
    out +=
        "<p class=\"lead\">Lowest resemblance to the survivor: if anything was removed that "
        "should have stayed, it is likely here.</p>";
    append_clusters(out, report.least_alike, Fact::resemblance, report.run);
  }
  if (!report.widest.empty()) {
    out +=
        "<p class=\"lead\"><br>Widest spread: the most files in one cluster. Boilerplate and "
        "templates look like this.</p>";
    append_clusters(out, report.widest, Fact::sources, report.run);
  }
  out += "</section>\n";
}

void append_pairs(std::string& out, const Report& report) {
  if (report.pairs.empty()) return;
  append_section(out, {"pairs", "Side by side"});
  out +=
      "<p class=\"lead\">A sample of removed records with their survivors. "
      "<mark>Shared</mark> text lies in a shingle that both have; "
      "<del>only in the survivor</del>, <ins>only in the removed record</ins>, "
      "<mark class=\"moved\">elsewhere in the other</mark>. Spaces, punctuation and case are not "
      "compared.</p>";
  for (std::size_t i = 0; i < report.pairs.size(); ++i) {
    append_pair(out, report.pairs[i], i + 1, report.run);
  }
  out += "</section>\n";
}

void append_run(std::string& out, const Report& report) {
  const ReportRun& run = report.run;
  append_section(out, {"run", "The run"});
  out += "<dl class=\"run\">";
  append_fact(out, "command", run.command, true);
  append_fact(out, "scheme", run.scheme, true);
  append_fact(out, "analyzer", run.analyzer);
  if (run.threshold > 0) {
    append_fact(out, "removed at", threshold_text(run));
  }
  append_fact(out, "proof",
              run.verified_exactly ? "exact: shingle sets compared for every removed record"
                                   : "estimated from sketches");
  append_fact(out, "keep", run.keep);
  append_fact(out, "started", run.started);
  if (run.seconds > 0) {
    append_fact(out, "took", took_text(run.seconds, run.threads, run.text_bytes));
  }
  append_fact(out, "version", run.version);
  out += "</dl></section>\n";
}

}  // namespace

std::string html_report(const Report& report) {
  std::string out;
  append_page_head(out, "Near-duplicates", report.run.title);
  append_page_navigation(out, report);
  append_totals(out, report);
  append_files(out, report);
  append_histograms(out, report);
  append_cluster_sections(out, report);
  append_pairs(out, report);
  append_run(out, report);
  append_page_foot(out, "");
  return out;
}

}  // namespace twinset

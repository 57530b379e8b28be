// The head says what was run, when and on which inputs; then each section is drawn.
//
// Every string of the facts is escaped by html_text; everything else written here is a constant or
// a number.
//
// This file's interface is page.h; the rest is private.
#include "faces/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "faces/charts.h"
#include "faces/graph_view.h"
#include "faces/page_style.h"
#include "faces/pair_html.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

void append_link(std::string& out, const Anchor& link) {
  out += fmt::format("<a href=\"#{}-{}\">{}</a>", html_text(link.section), link.number,
                     html_text(link.text));
}

void append_head(std::string& out, const ReportFacts& facts) {
  const std::string output = html_text(facts.output);
  out +=
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<meta name=\"generator\" content=\"twinset\">\n<title>";
  out += output.empty() ? "twinset report" : output + " - twinset";
  out += "</title>\n<style>";
  out += page_style;
  out +=
      "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">To the "
      "numbers</a>\n<header><h1>" +
      html_text(facts.title);
  if (!output.empty()) out += ": <bdi>" + output + "</bdi>";
  out += "</h1>\n";
  if (!facts.command.empty()) out += "<p><code>" + html_text(facts.command) + "</code></p>";
  out += "<p class=\"quiet\">" + html_text(facts.started);
  if (!facts.version.empty()) out += " &middot; twinset " + html_text(facts.version);
  if (!facts.folder.empty()) {
    out += " &middot; files are in <code>" + html_text(facts.folder) + "</code>";
  }
  out += "</p></header>\n<nav aria-label=\"Sections\">";
  for (const Section& section : facts.sections) {
    if (section.title.empty()) continue;
    out += "<a href=\"#" + html_text(section.name) + "\">" + html_text(section.title);
    if (section.elements() > 0) {
      out += " <span class=\"quiet\">" + format_count(section.elements()) + "</span>";
    }
    out += "</a>";
  }
  out += "</nav>\n<main id=\"main\">\n";
  for (const std::string& warning : facts.warnings) {
    out += "<p class=\"warn\" role=\"note\">" + html_text(warning) + "</p>";
  }
}

/// Counts and percentages are shown as tiles; if there are other values, all are lines.
void append_numbers(std::string& out, const std::vector<Fact>& numbers) {
  if (numbers.empty()) return;
  const bool tiles = std::all_of(numbers.begin(), numbers.end(), [](const Fact& fact) {
    return fact.value.unit == Unit::count || fact.value.unit == Unit::percent;
  });
  out += tiles ? "<dl class=\"tiles\">" : "<dl class=\"run\">";
  for (const Fact& fact : numbers) {
    const bool code = fact.value.unit == Unit::code;
    const std::string value = html_text(value_text(fact.value));
    out += fmt::format("<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>", html_text(fact.name),
                       code ? "<code>" + value + "</code>" : value, html_text(fact.note));
  }
  out += "</dl>";
}

void append_strip(std::string& out, const std::vector<Part>& parts) {
  std::uint64_t whole = 0;
  for (const Part& part : parts) whole += part.count;
  if (whole == 0) return;
  out +=
      "<svg class=\"strip\" viewBox=\"0 0 1000 14\" preserveAspectRatio=\"none\" role=\"img\" "
      "aria-label=\"Shares of the whole; the numbers follow\">";
  double x = 0;
  std::string key;
  for (const Part& part : parts) {
    if (part.count == 0) continue;
    const double width = 1000 * static_cast<double>(part.count) / static_cast<double>(whole);
    fmt::format_to(std::back_inserter(out),
                   "<rect class=\"c-{}\" x=\"{:.2f}\" y=\"0\" width=\"{:.2f}\" height=\"14\"/>",
                   fate_name(part.color), x, width);
    x += width;
    fmt::format_to(std::back_inserter(key),
                   "<span><span class=\"swatch c-{}\"></span>{} {} ({})</span> ",
                   fate_name(part.color), format_count(part.count), html_text(part.name),
                   format_percent(part.count, whole));
  }
  out += "</svg><p class=\"key\">" + key + "</p>";
}

bool is_number(const Value& value) {
  return value.unit != Unit::text && value.unit != Unit::code && value.unit != Unit::sentence;
}

/// A percentage has a meter beside it.
void append_cell(std::string& out, const Value& value) {
  const std::string shown = html_text(value_text(value));
  if (!is_number(value)) {
    out += "<td class=\"name\"><bdi class=\"id\">" + shown + "</bdi></td>";
    return;
  }
  const bool nothing = value.unit == Unit::count && value.number == 0;
  out += nothing ? "<td class=\"n quiet\">" : "<td class=\"n\">";
  if (value.unit == Unit::percent) {
    const double part = value.whole == 0 ? 0
                                         : 100 * static_cast<double>(value.number) /
                                               static_cast<double>(value.whole);
    fmt::format_to(std::back_inserter(out),
                   "<svg class=\"meter\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" "
                   "aria-hidden=\"true\"><rect class=\"track\" width=\"100\" height=\"8\"/>"
                   "<rect class=\"fill\" width=\"{:.1f}\" height=\"8\"/></svg>",
                   std::min(part, 100.0));
  }
  out += shown + "</td>";
}

void append_table(std::string& out, const Table& table, const std::string& label) {
  if (table.rows.empty()) return;
  out += "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" + label +
         "\"><table><thead><tr>";
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    out +=
        is_number(table.rows.front()[i]) ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">";
    out += html_text(table.columns[i]) + "</th>";
  }
  out += "</tr></thead><tbody>";
  for (const std::vector<Value>& row : table.rows) {
    out += "<tr>";
    for (const Value& value : row) append_cell(out, value);
    out += "</tr>";
  }
  out += "</tbody></table></div>";
}

void append_item(std::string& out, const ListItem& item) {
  out += "<div>";
  for (const ReportDocument& document : item.documents) {
    out += "<p>";
    append_document(out, document);
    if (!document.words.empty()) {
      out += "<span class=\"words\">" + html_text(document.words) + "</span>";
    }
    out += "</p>";
  }
  out += "</div><div class=\"facts\">";
  append_facts(out, item.facts);
  if (!item.links.empty()) out += "<br>";
  for (std::size_t i = 0; i < item.links.size(); ++i) {
    out += i > 0 ? " &middot; " : "";
    append_link(out, item.links[i]);
  }
  out += "</div>";
  if (item.members.empty()) return;
  out += "<details><summary>" + html_text(item.members_name) + "</summary><table><tbody>";
  for (const ListMember& member : item.members) {
    out += "<tr><td class=\"name\">";
    append_document(out, member.document);
    out += "<span class=\"words\">" + html_text(member.document.words) + "</span></td><td>";
    append_facts(out, member.facts);
    out += "</td></tr>";
  }
  out += "</tbody></table></details>";
}

void append_list(std::string& out, const Section& section) {
  if (section.list.empty()) return;
  out += "<ol class=\"clusters\">";
  for (std::size_t i = 0; i < section.list.size(); ++i) {
    fmt::format_to(std::back_inserter(out), "<li id=\"{}-{}\"><span class=\"quiet\">{}</span>",
                   html_text(section.name), i + 1, i + 1);
    append_item(out, section.list[i]);
    out += "</li>";
  }
  out += "</ol>";
}

void append_graphs(std::string& out, const Section& section) {
  if (section.graphs.empty()) return;
  out += "<div class=\"charts\">";
  for (std::size_t i = 0; i < section.graphs.size(); ++i) {
    const Graph& graph = section.graphs[i];
    fmt::format_to(std::back_inserter(out),
                   "<figure class=\"chart graph\" id=\"{}-{}\"><figcaption>",
                   html_text(section.name), i + 1);
    append_link(out, graph.name);
    if (!graph.nodes.empty()) {
      out += " <bdi class=\"id quiet\">" + html_text(graph.nodes[0].document.id) + "</bdi>";
    }
    out += "</figcaption>";
    append_graph(out, graph);
    out += "<p class=\"quiet\">" + html_text(graph.note) + "</p></figure>";
  }
  out += "</div>";
}

void append_pairs(std::string& out, const Section& section) {
  if (section.pairs.empty()) return;
  out +=
      "<p class=\"lead\"><mark>Shared</mark> text is in a shingle that both have; <del>only in "
      "the " +
      html_text(section.side_a) + "</del>, <ins>only in the " + html_text(section.side_b) +
      "</ins>, <mark class=\"moved\">elsewhere in the other</mark>. Spaces, punctuation and case "
      "are not compared.</p>";
  for (std::size_t i = 0; i < section.pairs.size(); ++i) {
    append_pair(out, section.pairs[i], fmt::format("{}-{}", html_text(section.name), i + 1),
                section.side_a, section.side_b);
  }
}

void append_section(std::string& out, const Section& section) {
  const std::string name = html_text(section.name);
  const std::string title = html_text(section.title);
  if (title.empty()) {
    out += "<section id=\"" + name + "\">";
  } else {
    fmt::format_to(
        std::back_inserter(out),
        "<section id=\"{0}\" aria-labelledby=\"{0}-title\"><h2 id=\"{0}-title\">{1}</h2>", name,
        title);
  }
  if (!section.lead.empty()) out += "<p class=\"lead\">" + html_text(section.lead) + "</p>";
  append_numbers(out, section.numbers);
  append_strip(out, section.parts);
  for (const Table& table : section.tables) append_table(out, table, title);
  if (!section.histograms.empty()) {
    out += "<div class=\"charts\">";
    for (const Histogram& chart : section.histograms) append_chart(out, chart);
    out += "</div>";
  }
  append_graphs(out, section);
  append_list(out, section);
  append_pairs(out, section);
  out += "</section>\n";
}

}  // namespace

std::string report_page(const ReportFacts& facts) {
  std::string out;
  append_head(out, facts);
  for (const Section& section : facts.sections) append_section(out, section);
  out +=
      "</main>\n<footer>Shares are rounded down: 1.000 is exactly 1, and a number below a "
      "threshold is never shown at it. This page is one file and loads nothing.</footer>\n"
      "</body>\n</html>\n";
  return out;
}

}  // namespace twinset

// Both pages have one shell: policy, style, content, facts, script. What the script does is in
// page/; here stands the content for a reader without scripts, and what keeps the facts inert.
//
// Every string of the facts is escaped by html_text; everything else written here is a constant or
// a number.
//
// This file's interface is page.h and twinset/page.h; the rest is private.
#include "faces/page.h"

#include <fmt/format.h>

#include <iterator>

#include "base/base64.h"
#include "base/sha256.h"
#include "faces/page_assets.h"
#include "faces/pair_html.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

/// Nothing runs but the page's own script, and nothing is loaded. `asks`: whom the script may ask.
std::string policy_of_page(std::string_view asks) {
  const auto hash = [](std::string_view content) {
    std::string out = "'sha256-";
    append_base64(out, sha256(content));
    return out + "'";
  };
  return "default-src 'none'; script-src " + hash(page_script()) + "; style-src " +
         hash(page_style()) + "; img-src data:; connect-src " + std::string(asks) +
         "; base-uri 'none'; form-action 'none'";
}

/// `rest` begins with <body>.
std::string shell(std::string_view title, std::string_view policy, std::string_view rest) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<meta name=\"generator\" content=\"twinset\">\n<title>{}</title>\n<style>{}</style>\n"
      "</head>\n{}\n<script>{}</script>\n</body>\n</html>\n",
      policy, title, page_style(), rest, page_script());
}

/// JSON that may stand in a <script>: no < can end the block or begin a comment.
std::string inert_json(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 8);
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string_view three = json.substr(i, 3);
    if (json[i] == '<') {
      out += "\\u003c";
    } else if (three == "\xe2\x80\xa8" || three == "\xe2\x80\xa9") {  // ends a line in old scripts
      out += three.back() == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += json[i];
    }
  }
  return out;
}

void append_link(std::string& out, const Anchor& link) {
  out += fmt::format("<a href=\"#{}-{}\">{}</a>", html_text(link.section), link.number,
                     html_text(link.text));
}

void append_head(std::string& out, const ReportFacts& facts) {
  out += "<header><h1>" + html_text(facts.title);
  if (!facts.output.empty()) out += ": <bdi>" + html_text(facts.output) + "</bdi>";
  out += "</h1>\n";
  if (!facts.command.empty()) out += "<p><code>" + html_text(facts.command) + "</code></p>";
  out += "<p>" + html_text(facts.started);
  if (!facts.version.empty()) out += " &middot; twinset " + html_text(facts.version);
  if (!facts.folder.empty()) {
    out += " &middot; files are in <code>" + html_text(facts.folder) + "</code>";
  }
  out += "</p></header>\n";
  for (const std::string& warning : facts.warnings) {
    out += "<p class=\"warn\" role=\"note\">" + html_text(warning) + "</p>";
  }
}

void append_numbers(std::string& out, const std::vector<Fact>& numbers) {
  if (numbers.empty()) return;
  out += "<dl>";
  for (const Fact& fact : numbers) {
    const std::string value = html_text(value_text(fact.value));
    const bool code = fact.value.unit == Unit::code;
    out += fmt::format("<dt>{}</dt><dd>{} <small>{}</small></dd>", html_text(fact.name),
                       code ? "<code>" + value + "</code>" : value, html_text(fact.note));
  }
  out += "</dl>";
}

/// The parts of tables, of which several kinds of facts are made.
class HtmlTable {
 public:
  HtmlTable(std::string& out, const std::vector<std::string>& columns) : out_(out) {
    out_ += "<table><thead><tr>";
    for (const std::string& column : columns) {
      out_ += "<th scope=\"col\">" + html_text(column) + "</th>";
    }
    out_ += "</tr></thead><tbody>";
  }
  ~HtmlTable() { out_ += "</tbody></table>"; }
  HtmlTable(const HtmlTable&) = delete;
  HtmlTable& operator=(const HtmlTable&) = delete;

  void begin_row() { out_ += "<tr>"; }
  void end_row() { out_ += "</tr>"; }
  void cell(std::string_view text) {
    out_ += "<td><bdi class=\"id\">" + html_text(text) + "</bdi></td>";
  }
  void number(std::string_view text) { out_ += "<td class=\"n\">" + html_text(text) + "</td>"; }

 private:
  std::string& out_;
};

void append_parts(std::string& out, const std::vector<Part>& parts) {
  std::uint64_t whole = 0;
  for (const Part& part : parts) whole += part.count;
  if (whole == 0) return;
  out += "<ul>";
  for (const Part& part : parts) {
    if (part.count == 0) continue;
    out += "<li>" + format_count(part.count) + " " + html_text(part.name) + " (" +
           format_percent(part.count, whole) + ")</li>";
  }
  out += "</ul>";
}

void append_table(std::string& out, const Table& table) {
  if (table.rows.empty()) return;
  HtmlTable rows(out, table.columns);
  for (const std::vector<Value>& row : table.rows) {
    rows.begin_row();
    for (const Value& value : row) {
      const bool text =
          value.unit == Unit::text || value.unit == Unit::code || value.unit == Unit::sentence;
      text ? rows.cell(value_text(value)) : rows.number(value_text(value));
    }
    rows.end_row();
  }
}

void append_histogram(std::string& out, const Histogram& chart) {
  out += "<h3>" + html_text(chart.title) + "</h3>";
  if (chart.bars.empty()) {
    out += "<p>Nothing to show.</p>";
    return;
  }
  std::vector<std::string> columns{chart.across};
  if (chart.series.size() == 1) {
    columns.push_back(chart.up);
  } else {
    for (const std::string& name : chart.series) columns.push_back(chart.up + ", " + name);
  }
  HtmlTable rows(out, columns);
  for (const Bar& bar : chart.bars) {
    rows.begin_row();
    rows.cell(bar.range);
    for (const std::uint64_t count : bar.counts) rows.number(format_count(count));
    rows.end_row();
  }
}

void append_tiles(std::string& out, const std::vector<Tile>& tiles) {
  if (tiles.empty()) return;
  out += "<details><summary>" + format_count(tiles.size(), "size", "sizes") + "</summary><ol>";
  for (const Tile& tile : tiles) {
    out += "<li><bdi class=\"id\">" + html_text(tile.name) + "</bdi> <b>" +
           format_count(tile.count) + "</b> <small>" + html_text(tile.note) + "</small> ";
    if (!tile.link.empty()) append_link(out, tile.link);
    out += "</li>";
  }
  out += "</ol></details>";
}

void append_plot(std::string& out, const Plot& plot) {
  out += "<details><summary>" + html_text(plot.title) + "</summary>";
  for (const PlotSeries& series : plot.series) {
    out += "<h3>" + html_text(series.name) + "</h3>";
    if (series.threshold != 0) out += fmt::format("<p>threshold {}</p>", series.threshold);
    HtmlTable rows(out, {plot.across, plot.up});
    for (const PlotPoint& point : series.points) {
      rows.begin_row();
      rows.number(fmt::format("{}", point.across));
      rows.number(fmt::format("{}", point.up));
      rows.end_row();
    }
  }
  out += "</details>";
}

void append_item(std::string& out, const ListItem& item) {
  for (const ReportDocument& document : item.documents) {
    out += "<p>";
    append_document(out, document);
    if (!document.words.empty()) {
      out += " <span class=\"words\">" + html_text(document.words) + "</span>";
    }
    out += "</p>";
  }
  out += "<p>";
  append_facts(out, item.facts);
  for (const Anchor& link : item.links) {
    out += " &middot; ";
    append_link(out, link);
  }
  out += "</p>";
  if (item.members.empty()) return;
  out += "<details><summary>" + html_text(item.members_name) + "</summary><ul>";
  for (const ListMember& member : item.members) {
    out += "<li>";
    append_document(out, member.document);
    out += " <span class=\"words\">" + html_text(member.document.words) + "</span> ";
    append_facts(out, member.facts);
    out += "</li>";
  }
  out += "</ul></details>";
}

void append_list(std::string& out, const Section& section) {
  if (section.list.empty()) return;
  out += "<ol>";
  for (std::size_t i = 0; i < section.list.size(); ++i) {
    fmt::format_to(std::back_inserter(out), "<li id=\"{}-{}\">", html_text(section.name), i + 1);
    append_item(out, section.list[i]);
    out += "</li>\n";
  }
  out += "</ol>";
}

void append_graphs(std::string& out, const Section& section) {
  for (std::size_t i = 0; i < section.graphs.size(); ++i) {
    const Graph& graph = section.graphs[i];
    fmt::format_to(std::back_inserter(out), "<details id=\"{}-{}\"><summary>",
                   html_text(section.name), i + 1);
    append_link(out, graph.name);
    out += " " + html_text(graph.note) + "</summary><ol>";
    for (const GraphNode& node : graph.nodes) {
      out += "<li>";
      append_document(out, node.document);
      if (node.copies > 0) out += " and " + format_count(node.copies, "copy", "copies");
      out += "</li>";
    }
    out += "</ol><p>Pairs, by the numbers above:";
    for (const GraphEdge& edge : graph.edges) {
      fmt::format_to(std::back_inserter(out), " {} and {} ({});", edge.a + 1, edge.b + 1,
                     format_share(edge.resemblance, graph.threshold));
    }
    out += "</p></details>\n";
  }
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
  out += "<section id=\"" + html_text(section.name) + "\">";
  if (!section.title.empty()) out += "<h2>" + html_text(section.title) + "</h2>";
  if (!section.lead.empty()) out += "<p class=\"lead\">" + html_text(section.lead) + "</p>";
  append_numbers(out, section.numbers);
  append_parts(out, section.parts);
  for (const Table& table : section.tables) append_table(out, table);
  for (const Histogram& chart : section.histograms) append_histogram(out, chart);
  append_tiles(out, section.tiles);
  for (const Plot& plot : section.plots) append_plot(out, plot);
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
      "<footer>Shares are rounded down: 1.000 is exactly 1, and a number below a threshold is "
      "never shown at it. This page is one file and loads nothing.</footer>";
  return facts_page(facts.output.empty() ? "report" : facts.output, out, report_json(facts));
}

std::string facts_page(std::string_view title, std::string_view plain, std::string_view json) {
  std::string out = "<body>\n<main id=\"page\">\n";
  out += plain;
  out +=
      "\n</main>\n<script type=\"application/json\" id=\"facts\">" + inert_json(json) + "</script>";
  return shell(html_text(title) + " - twinset", policy_of_page("'none'"), out);
}

LivePage live_page() {
  const std::string policy = policy_of_page("'self'");
  return {shell("twinset", policy,
                "<body data-live=\"1\">\n<main id=\"page\"><p>This page needs its script. Without "
                "it, ask the service: <code>/openapi.json</code> says how.</p></main>"),
          policy + "; frame-ancestors 'none'"};
}

}  // namespace twinset

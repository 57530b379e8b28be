// Lines of one shade are one path, a tenth of the bytes of a <line> each. The palest are drawn
// first, nodes last.
//
// This file's interface is graph_view.h; the rest is private.
#include "faces/graph_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <vector>

#include "faces/graph_layout.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr double width = 360, height = 240;
constexpr double margin = 16;
constexpr double least_radius = 3.5, most_radius = 11;
/// With more edges lines are finer, so that shades can be told apart.
constexpr std::size_t many_edges = 700;

/// 0: for containment alone; then the shades.
std::size_t shade_of(double resemblance, double threshold) {
  if (resemblance < threshold) return 0;
  const double step = std::max(1 - threshold, 1e-9) / edge_shades;
  return 1 + std::min<std::size_t>(edge_shades - 1,
                                   static_cast<std::size_t>((resemblance - threshold) / step));
}

double radius_of(const GraphNode& node, std::size_t nodes) {
  const double base = nodes <= 24 ? least_radius + 1 : least_radius;
  return std::min(most_radius, base + static_cast<double>(std::bit_width(node.copies)));
}

void append_edges(std::string& out, const Graph& graph, const std::vector<Point>& places) {
  std::array<std::string, edge_shades + 1> paths;
  for (const GraphEdge& edge : graph.edges) {
    fmt::format_to(std::back_inserter(paths[shade_of(edge.resemblance, graph.threshold)]),
                   "M{:.1f} {:.1f}L{:.1f} {:.1f}", places[edge.a].x + margin,
                   places[edge.a].y + margin, places[edge.b].x + margin, places[edge.b].y + margin);
  }
  for (std::size_t shade = 0; shade < paths.size(); ++shade) {
    if (paths[shade].empty()) continue;
    fmt::format_to(std::back_inserter(out), "<path class=\"edge e{}\" d=\"{}\"/>", shade,
                   paths[shade]);
  }
}

void append_nodes(std::string& out, const Graph& graph, const std::vector<Point>& places) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const GraphNode& node = graph.nodes[i];
    const ReportDocument& document = node.document;
    out += "<g><title>" + html_text(document.id.empty() ? document.file : document.id);
    if (node.copies > 0) out += " and " + format_count(node.copies, "copy", "copies");
    if (i == 0) out += " (representative)";
    fmt::format_to(
        std::back_inserter(out),
        "</title><circle class=\"node{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/></g>",
        i == 0 ? " first" : "", places[i].x + margin, places[i].y + margin,
        radius_of(node, graph.nodes.size()));
  }
}

}  // namespace

void append_graph(std::string& out, const Graph& graph) {
  std::vector<GraphLink> links;
  for (const GraphEdge& edge : graph.edges) {
    links.push_back({static_cast<std::uint32_t>(edge.a), static_cast<std::uint32_t>(edge.b)});
  }
  const auto nodes = static_cast<std::uint32_t>(graph.nodes.size());
  const std::vector<Point> places = lay_out(links, nodes, width - 2 * margin, height - 2 * margin);
  fmt::format_to(std::back_inserter(out),
                 "<svg class=\"{}\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"A graph; "
                 "the numbers follow\">",
                 graph.edges.size() > many_edges ? "dense" : "loose", width, height);
  append_edges(out, graph, places);
  append_nodes(out, graph, places);
  out += "</svg>";
}

}  // namespace twinset

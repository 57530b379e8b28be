// A cluster as a graph: a node a document, a line a pair at the threshold, the stronger
// the more alike. A chain of versions looks like a chain, a crowd of copies like a ball.
//
//   append_graph(out, graph, cluster, 3, 0.5);
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <string>

#include "report/cluster_report.h"

namespace twinset {

/// Shades of a line, from the threshold to 1.
inline constexpr unsigned edge_shades = 5;

/// Appends a <figure> with the id "graph-<number>" that leads to "cluster-<number>".
/// Edges below `threshold` (of containment alone) are dashed.
void append_graph(std::string& out, const ClusterGraph& graph, const ListedCluster& cluster,
                  std::size_t number, double threshold);

}  // namespace twinset

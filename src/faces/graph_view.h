// Documents and their pairs as a graph: a dot for each document, a line for each pair at the
// threshold, stronger the more alike. A chain of versions looks like a chain, many copies like a
// ball.
//
//   append_graph(out, graph);
//
// Threads: pure functions.
#pragma once

#include <string>

#include "faces/facts.h"

namespace twinset {

/// Shades of a line, from the threshold to 1.
inline constexpr unsigned edge_shades = 5;

/// Appends an <svg>. Edges join nodes of the graph; those below its threshold (by containment
/// alone) are dashed.
void append_graph(std::string& out, const Graph& graph);

}  // namespace twinset

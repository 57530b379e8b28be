// Documents and their pairs as a graph: a dot a document, a line a pair at the threshold, the
// stronger the more alike. A chain of versions looks like a chain, many copies like a ball.
//
//   append_graph(out, graph);
//
// Threads: pure functions.
#pragma once

#include <string>

#include "report/facts.h"

namespace twinset {

/// Shades of a line, from the threshold to 1.
inline constexpr unsigned edge_shades = 5;

/// Appends an <svg>. Edges lead to nodes of the graph; those below its threshold (of
/// containment alone) are dashed.
void append_graph(std::string& out, const Graph& graph);

}  // namespace twinset

// Places for the nodes of a small graph, so that nodes few links apart are close: a chain becomes a
// line, a ball of links a disc.
//
//   std::vector<Point> places = lay_out({{1, 0}, {2, 1}}, 3, 360, 240);
//
// The same graph has the same places in every run and on every machine: no randomness, no clock,
// and only arithmetic that IEEE 754 fixes to the last bit.
//
// Threads: a pure function.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace twinset {

struct Point {
  double x = 0;
  double y = 0;
};

struct GraphLink {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

/// Places of nodes 0 to nodes - 1 in [0, width] by [0, height], the longest extent along the width,
/// node 0 in the left half. Links name nodes. O(nodes^2) memory and some 300 times as many steps:
/// for pictures, with some hundred nodes.
std::vector<Point> lay_out(std::span<const GraphLink> links, std::uint32_t nodes, double width,
                           double height);

}  // namespace twinset

// A treemap: a box divided into rectangles whose areas are to each other as sizes,
// each as square as may be (Bruls, Huizing, van Wijk: Squarified Treemaps, 2000).
//
//   std::vector<Rectangle> tiles = squarify({6, 3, 1}, {0, 0, 300, 200});
//
//   append_treemap(out, {{6, "cluster-1", "a", "a: 6 documents", false}, ...}, "documents");
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace twinset {

struct Rectangle {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

/// The rectangle of each size, in their order, which must be descending. Together they
/// are the box. Sizes of nothing have no area. O(n).
std::vector<Rectangle> squarify(std::span<const std::uint64_t> sizes, const Rectangle& box);

struct TreemapTile {
  std::uint64_t size = 0;
  std::string target;  ///< id of the element a tile leads to, the page's own
  std::string label;   ///< as read: written on the tile, as far as it fits
  std::string title;   ///< as read: the tooltip
  bool quiet = false;  ///< in the color of what matters less
};

/// Appends an <svg> for wide pages and one for narrow ones, of which the style sheet
/// shows either. `label` says to those who do not see it what it is; the page's own.
void append_treemap(std::string& out, std::span<const TreemapTile> tiles, const char* label);

}  // namespace twinset

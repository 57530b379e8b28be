// Tiles are laid in rows along the shorter side of what is left of the box. A row takes
// the next tile while that makes its worst tile squarer, and else the next row begins.
//
// Labels stand in an <svg> of their own inside the tile, which clips what does not fit:
// nobody can tell here how wide a reader's font is.
//
// This file's interface is treemap.h; the rest is private.
#include "report/treemap.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "report/numbers.h"
#include "report/visible.h"

namespace twinset {
namespace {

constexpr Rectangle wide_box{0, 0, 1040, 380};
constexpr Rectangle narrow_box{0, 0, 360, 440};
constexpr double inset = 6;  ///< of a label in its tile
constexpr double line_height = 14;
/// Below these a tile has no label; its tooltip tells.
constexpr double least_label_width = 34, least_label_height = 20;
/// More of an id is on no tile.
constexpr std::size_t most_label_bytes = 120;

/// How far from square the worst tile of a row is: its longer side by its shorter.
double worst_aspect(double most, double least, double sum, double side) {
  return std::max(side * side * most / (sum * sum), sum * sum / (side * side * least));
}

/// Takes a row of the given area off the box.
class Row {
 public:
  Row(Rectangle& box, double area) : upright_(box.width >= box.height), box_(box) {
    const double side = upright_ ? box.height : box.width;
    thickness_ = side > 0 ? std::min(area / side, upright_ ? box.width : box.height) : 0;
  }
  ~Row() {
    (upright_ ? box_.x : box_.y) += thickness_;
    (upright_ ? box_.width : box_.height) -= thickness_;
  }
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;

  /// The next tile; the last one of a row ends where the box does.
  Rectangle put(double area, bool last) {
    const double side = upright_ ? box_.height : box_.width;
    double length = thickness_ > 0 ? area / thickness_ : 0;
    length = last ? side - used_ : std::min(length, side - used_);
    const Rectangle tile = upright_ ? Rectangle{box_.x, box_.y + used_, thickness_, length}
                                    : Rectangle{box_.x + used_, box_.y, length, thickness_};
    used_ += length;
    return tile;
  }

 private:
  bool upright_;
  Rectangle& box_;
  double thickness_ = 0;
  double used_ = 0;
};

void append_label(std::string& out, const TreemapTile& tile, const Rectangle& at) {
  if (at.width < least_label_width || at.height < least_label_height) return;
  fmt::format_to(std::back_inserter(out),
                 "<svg x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">", at.x, at.y,
                 at.width - inset, at.height);
  const auto line = [&](const char* css, double y, const std::string& html) {
    fmt::format_to(std::back_inserter(out),
                   "<text class=\"{}\" x=\"{:.0f}\" y=\"{:.0f}\">{}</text>", css, inset, y, html);
  };
  line("tile-n", line_height, format_count(tile.size));
  if (at.height >= least_label_height + line_height) {
    line("tile-id", 2 * line_height,
         html_text(whole_prefix(tile.label, most_label_bytes), Lines::spell));
  }
  out += "</svg>";
}

void append_map(std::string& out, std::span<const TreemapTile> tiles,
                std::span<const std::uint64_t> sizes, const Rectangle& box, const char* css,
                const char* label) {
  fmt::format_to(std::back_inserter(out),
                 "<svg class=\"treemap {}\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"group\" "
                 "aria-label=\"{}\">",
                 css, box.width, box.height, label);
  const std::vector<Rectangle> places = squarify(sizes, box);
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const Rectangle& at = places[i];
    out += "<a href=\"#" + tiles[i].target + "\"><title>" + html_name(tiles[i].title) + "</title>";
    fmt::format_to(std::back_inserter(out),
                   "<rect class=\"tile{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                   "height=\"{:.1f}\"/>",
                   tiles[i].quiet ? " copies" : "", at.x, at.y, at.width, at.height);
    append_label(out, tiles[i], at);
    out += "</a>";
  }
  out += "</svg>";
}

}  // namespace

std::vector<Rectangle> squarify(std::span<const std::uint64_t> sizes, const Rectangle& box) {
  double sum = 0;
  for (const std::uint64_t size : sizes) sum += static_cast<double>(size);
  const double scale = sum > 0 ? box.width * box.height / sum : 0;
  std::vector<Rectangle> places;
  Rectangle left = box;
  for (std::size_t begin = 0; begin < sizes.size();) {
    const auto area = [&](std::size_t i) { return static_cast<double>(sizes[i]) * scale; };
    const double side = std::min(left.width, left.height);
    double row = area(begin);
    std::size_t end = begin + 1;
    for (; end < sizes.size() && sizes[end] > 0 && side > 0; ++end) {
      // Descending: the row's first tile is its largest, the newcomer its least.
      const double before = worst_aspect(area(begin), area(end - 1), row, side);
      const double after = worst_aspect(area(begin), area(end), row + area(end), side);
      if (after > before) break;
      row += area(end);
    }
    Row laid(left, row);
    for (std::size_t i = begin; i < end; ++i) places.push_back(laid.put(area(i), i + 1 == end));
    begin = end;
  }
  return places;
}

void append_treemap(std::string& out, std::span<const TreemapTile> tiles, const char* label) {
  std::vector<std::uint64_t> sizes;
  for (const TreemapTile& tile : tiles) sizes.push_back(tile.size);
  append_map(out, tiles, sizes, wide_box, "wide", label);
  append_map(out, tiles, sizes, narrow_box, "narrow", label);
}

}  // namespace twinset

// Stress majorization (Gansner, Koren, North: Graph Drawing by Stress Majorization, 2004): the
// distance of two nodes on the page should be the number of links between them; near ones count
// most. Each step moves one node to where its distances to all others fit best; no step makes the
// whole worse.
//
// Starts from three nodes far from each other and the distances of all nodes to them, which unfolds
// a chain before the first step.
//
// This file's interface is graph_layout.h; the rest is private.
#include "faces/graph_layout.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"

namespace twinset {
namespace {

constexpr unsigned sweeps = 300;
/// The longest link on the page, so that a few nodes do not fill it.
double longest_link(std::size_t nodes) { return 64 + 6 * static_cast<double>(nodes); }

/// The number of links between each two nodes. Unconnected ones are one link more than half the
/// greatest distance apart: separate, yet not at the other end of the page.
class Distances {
 public:
  Distances(std::span<const GraphLink> links, std::uint32_t nodes)
      : nodes_(nodes), links_(std::size_t{nodes} * nodes, unknown) {
    std::vector<std::vector<std::uint32_t>> near(nodes);
    for (const GraphLink& link : links) {
      near[link.a].push_back(link.b);
      near[link.b].push_back(link.a);
    }
    std::uint32_t farthest = 0;
    std::vector<std::uint32_t> queue;
    for (std::uint32_t from = 0; from < nodes; ++from) {
      std::uint32_t* const row = &links_[std::size_t{from} * nodes];
      row[from] = 0;
      queue.assign(1, from);
      for (std::size_t i = 0; i < queue.size(); ++i) {
        for (const std::uint32_t next : near[queue[i]]) {
          if (row[next] != unknown) continue;
          row[next] = row[queue[i]] + 1;
          queue.push_back(next);
        }
        farthest = std::max(farthest, row[queue[i]]);
      }
    }
    std::replace(links_.begin(), links_.end(), unknown, farthest / 2 + 1);
  }

  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return links_[std::size_t{a} * nodes_ + b];
  }

  /// The first node with the greatest `measure`.
  template <class Measure>
  std::uint32_t farthest(Measure measure) const {
    std::uint32_t best = 0;
    for (std::uint32_t i = 1; i < nodes_; ++i) {
      if (measure(i) > measure(best)) best = i;
    }
    return best;
  }

 private:
  static constexpr std::uint32_t unknown = UINT32_MAX;
  std::uint32_t nodes_;
  std::vector<std::uint32_t> links_;
};

std::vector<Point> first_places(const Distances& distances, std::uint32_t nodes) {
  const std::uint32_t one = distances.farthest([&](std::uint32_t i) { return distances(0, i); });
  const std::uint32_t two = distances.farthest([&](std::uint32_t i) { return distances(one, i); });
  const std::uint32_t three = distances.farthest(
      [&](std::uint32_t i) { return std::min(distances(one, i), distances(two, i)); });
  std::vector<Point> places(nodes);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    // Nodes equally far from all three must not start at one point.
    const std::uint64_t hash = mix64(i + 1);
    const auto jitter = [](std::uint64_t bits) { return static_cast<double>(bits) / 65536 - 0.5; };
    places[i].x =
        (static_cast<double>(distances(one, i)) - distances(two, i)) / 2 + jitter(hash & 0xffff);
    places[i].y = distances(three, i) + jitter(hash >> 16 & 0xffff);
  }
  return places;
}

/// Where one node's distances to the others fit best.
Point better_place(const Distances& distances, const std::vector<Point>& places, std::uint32_t i) {
  Point sum;
  double weights = 0;
  for (std::uint32_t j = 0; j < places.size(); ++j) {
    if (j == i) continue;
    const double wanted = distances(i, j);
    const double weight = 1 / (wanted * wanted);
    const double dx = places[i].x - places[j].x;
    const double dy = places[i].y - places[j].y;
    const double length = std::sqrt(dx * dx + dy * dy);
    const double stretch = length > 1e-9 ? wanted / length : 0;
    sum.x += weight * (places[j].x + stretch * dx);
    sum.y += weight * (places[j].y + stretch * dy);
    weights += weight;
  }
  return {sum.x / weights, sum.y / weights};
}

/// Turns the places about their center so that they extend along x, with node 0 at the left.
void turn(std::vector<Point>& places) {
  Point middle;
  for (const Point& place : places) {
    middle.x += place.x / static_cast<double>(places.size());
    middle.y += place.y / static_cast<double>(places.size());
  }
  double xx = 0, xy = 0, yy = 0;
  for (Point& place : places) {
    place = {place.x - middle.x, place.y - middle.y};
    xx += place.x * place.x;
    xy += place.x * place.y;
    yy += place.y * place.y;
  }
  // The larger eigenvector of the covariances.
  const double half = (xx - yy) / 2;
  Point axis{half + std::sqrt(half * half + xy * xy), xy};
  const double length = std::sqrt(axis.x * axis.x + axis.y * axis.y);
  axis = length > 1e-9 ? Point{axis.x / length, axis.y / length}
                       : Point{half >= 0 ? 1.0 : 0.0, half >= 0 ? 0.0 : 1.0};
  const double side = places[0].x * axis.x + places[0].y * axis.y > 0 ? -1 : 1;
  for (Point& place : places) {
    place = {side * (place.x * axis.x + place.y * axis.y),
             side * (place.y * axis.x - place.x * axis.y)};
  }
}

void fit(std::vector<Point>& places, double width, double height) {
  Point least = places[0];
  Point most = places[0];
  for (const Point& place : places) {
    least = {std::min(least.x, place.x), std::min(least.y, place.y)};
    most = {std::max(most.x, place.x), std::max(most.y, place.y)};
  }
  const double across = most.x - least.x;
  const double up = most.y - least.y;
  double scale = longest_link(places.size());
  if (across > 0) scale = std::min(scale, width / across);
  if (up > 0) scale = std::min(scale, height / up);
  for (Point& place : places) {
    place.x = std::clamp(width / 2 + (place.x - (least.x + most.x) / 2) * scale, 0.0, width);
    place.y = std::clamp(height / 2 + (place.y - (least.y + most.y) / 2) * scale, 0.0, height);
  }
}

}  // namespace

std::vector<Point> lay_out(std::span<const GraphLink> links, std::uint32_t nodes, double width,
                           double height) {
  if (nodes == 0) return {};
  const Distances distances(links, nodes);
  std::vector<Point> places = first_places(distances, nodes);
  for (unsigned sweep = 0; sweep < sweeps && nodes > 1; ++sweep) {
    for (std::uint32_t i = 0; i < nodes; ++i) places[i] = better_place(distances, places, i);
  }
  turn(places);
  fit(places, width, height);
  return places;
}

}  // namespace twinset

// Layouts of small graphs: inside the box, the same every time, chains long and balls
// round.
#include "faces/graph_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace twinset {
namespace {

constexpr double width = 300, height = 200;

std::vector<GraphLink> chain(std::uint32_t nodes) {
  std::vector<GraphLink> links;
  for (std::uint32_t i = 1; i < nodes; ++i) links.push_back({i, i - 1});
  return links;
}

std::vector<GraphLink> ball(std::uint32_t nodes) {
  std::vector<GraphLink> links;
  for (std::uint32_t i = 1; i < nodes; ++i) {
    for (std::uint32_t j = 0; j < i; ++j) links.push_back({i, j});
  }
  return links;
}

double distance(const Point& a, const Point& b) { return std::hypot(a.x - b.x, a.y - b.y); }

/// Extents along and across.
Point extent(const std::vector<Point>& places) {
  const auto [left, right] = std::minmax_element(
      places.begin(), places.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
  const auto [top, bottom] = std::minmax_element(
      places.begin(), places.end(), [](const Point& a, const Point& b) { return a.y < b.y; });
  return {right->x - left->x, bottom->y - top->y};
}

TEST(GraphLayout, StaysInTheBoxAndIsTheSameEveryTime) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 60; ++round) {
    const auto nodes = static_cast<std::uint32_t>(1 + random() % 60);
    std::vector<GraphLink> links;
    for (std::uint64_t i = random() % 200; i > 0; --i) {
      links.push_back({static_cast<std::uint32_t>(random() % nodes),
                       static_cast<std::uint32_t>(random() % nodes)});
    }
    const std::vector<Point> places = lay_out(links, nodes, width, height);
    const std::vector<Point> again = lay_out(links, nodes, width, height);
    ASSERT_EQ(places.size(), nodes);
    for (std::uint32_t i = 0; i < nodes; ++i) {
      ASSERT_TRUE(places[i].x >= 0 && places[i].x <= width) << places[i].x;
      ASSERT_TRUE(places[i].y >= 0 && places[i].y <= height) << places[i].y;
      ASSERT_EQ(places[i].x, again[i].x);
      ASSERT_EQ(places[i].y, again[i].y);
      for (std::uint32_t j = 0; j < i; ++j) ASSERT_GT(distance(places[i], places[j]), 0.5);
    }
  }
}

TEST(GraphLayout, AChainIsALineInOrder) {
  const std::vector<Point> places = lay_out(chain(20), 20, width, height);
  for (std::size_t i = 1; i < places.size(); ++i) EXPECT_GT(places[i].x, places[i - 1].x);
  EXPECT_LT(extent(places).y, extent(places).x / 4);
}

TEST(GraphLayout, ABallIsRound) {
  const Point size = extent(lay_out(ball(30), 30, width, height));
  EXPECT_GT(size.y, size.x / 2);
}

TEST(GraphLayout, TwoBallsOnAThreadStandApart) {
  std::vector<GraphLink> links = ball(10);
  for (const GraphLink& link : ball(10)) links.push_back({link.a + 10, link.b + 10});
  links.push_back({10, 9});
  const std::vector<Point> places = lay_out(links, 20, width, height);
  for (std::size_t i = 0; i < 10; ++i) {
    for (std::size_t j = 10; j < 20; ++j) EXPECT_LT(places[i].x, places[j].x);
  }
}

TEST(GraphLayout, FewNodesDoNotFillTheBox) {
  EXPECT_TRUE(lay_out({}, 0, width, height).empty());
  const std::vector<Point> one = lay_out({}, 1, width, height);
  EXPECT_EQ(one[0].x, width / 2);
  EXPECT_EQ(one[0].y, height / 2);
  const std::vector<Point> two = lay_out(chain(2), 2, width, height);
  EXPECT_NEAR(two[0].y, two[1].y, 1e-6);
  EXPECT_LT(two[0].x, two[1].x);
  EXPECT_LT(two[1].x - two[0].x, width / 2);
}

}  // namespace
}  // namespace twinset

// Components against a breadth-first search (reliability A14).
#include "join/union_find.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace twinset {
namespace {

using EdgeList = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// The smallest member each member can reach.
std::vector<std::uint32_t> reach(std::uint32_t members, const EdgeList& edges) {
  std::vector<std::vector<std::uint32_t>> neighbors(members);
  for (const auto& [a, b] : edges) {
    neighbors[a].push_back(b);
    neighbors[b].push_back(a);
  }
  std::vector<std::uint32_t> least(members, UINT32_MAX);
  for (std::uint32_t start = 0; start < members; ++start) {
    if (least[start] != UINT32_MAX) continue;
    std::vector<std::uint32_t> queue{start};
    least[start] = start;
    for (std::size_t at = 0; at < queue.size(); ++at) {
      for (const std::uint32_t next : neighbors[queue[at]]) {
        if (least[next] != UINT32_MAX) continue;
        least[next] = start;
        queue.push_back(next);
      }
    }
  }
  return least;
}

TEST(UnionFind, EachMemberBeginsAlone) {
  UnionFind components(3);
  EXPECT_EQ(components.size(), 3U);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(components.find(i), i);
}

TEST(UnionFind, TellsWhetherTwoWereOne) {
  UnionFind components(4);
  EXPECT_TRUE(components.unite(3, 1));
  EXPECT_TRUE(components.unite(2, 3));
  EXPECT_FALSE(components.unite(1, 2));
  EXPECT_FALSE(components.unite(0, 0));
  EXPECT_EQ(components.find(2), 1U);
  EXPECT_EQ(components.find(0), 0U);
}

TEST(UnionFind, LongChainsInAnyOrder) {
  constexpr std::uint32_t members = 100'000;
  UnionFind up(members);
  UnionFind down(members);
  for (std::uint32_t i = 1; i < members; ++i) {
    up.unite(i - 1, i);
    down.unite(members - i, members - i - 1);
  }
  for (std::uint32_t i = 0; i < members; i += 997) {
    EXPECT_EQ(up.find(i), 0U);
    EXPECT_EQ(down.find(i), 0U);
  }
}

TEST(UnionFind, EqualsASearchOnRandomGraphs) {
  std::mt19937_64 random(14);
  for (int graph = 0; graph < 10'000; ++graph) {
    const auto members = static_cast<std::uint32_t>(1 + random() % 60);
    EdgeList edges(random() % 80);
    for (auto& [a, b] : edges) {
      a = static_cast<std::uint32_t>(random() % members);
      b = static_cast<std::uint32_t>(random() % members);
    }
    UnionFind components(members);
    for (const auto& [a, b] : edges) components.unite(a, b);
    const std::vector<std::uint32_t> expected = reach(members, edges);
    for (std::uint32_t i = 0; i < members; ++i) ASSERT_EQ(components.find(i), expected[i]) << graph;
  }
}

TEST(UnionFind, EqualsASearchOnAMillionEdges) {
  std::mt19937_64 random(15);
  constexpr std::uint32_t members = 1'200'000;
  EdgeList edges(1'000'000);
  for (auto& [a, b] : edges) {
    a = static_cast<std::uint32_t>(random() % members);
    b = static_cast<std::uint32_t>(random() % members);
  }
  UnionFind components(members);
  for (const auto& [a, b] : edges) components.unite(a, b);
  const std::vector<std::uint32_t> expected = reach(members, edges);
  for (std::uint32_t i = 0; i < members; ++i) ASSERT_EQ(components.find(i), expected[i]);
}

}  // namespace
}  // namespace twinset

// Pairs to clusters, against plain definitions (row B-14, reliability A14).
#include "cluster/clustering.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <vector>

#include "join/join_testing.h"

namespace twinset {
namespace {

using testing::SpillFolder;

/// A pair that shares three of four keys, or `shared` of them.
SharedPair pair_of(std::uint32_t a, std::uint32_t b, std::uint32_t shared = 3) {
  return {a, b, {shared, 4, 4}};
}

constexpr PairFloor half{{1, 2}, {}};

TEST(Clustering, ComponentsJoinChains) {
  Clustering clustering(5, half, ClusterShape::components);
  clustering.add(pair_of(2, 1));
  clustering.add(pair_of(3, 2));
  clustering.add(pair_of(4, 0, 2));  // 2 of 6 keys
  EXPECT_EQ(clustering.edges(), 2U);
  EXPECT_EQ(clustering.representative(3), 1U);
  EXPECT_EQ(clustering.representative(4), 4U);
}

TEST(Clustering, StarsDoNot) {
  Clustering clustering(4, half, ClusterShape::stars);
  clustering.add(pair_of(1, 0));
  clustering.add(pair_of(2, 1));
  clustering.add(pair_of(3, 0));
  clustering.add(pair_of(3, 2));
  EXPECT_EQ(clustering.representative(1), 0U);
  EXPECT_EQ(clustering.representative(2), 2U);
  EXPECT_EQ(clustering.representative(3), 0U);
}

TEST(Clustering, ContainmentOfEitherJoins) {
  const SharedPair part{1, 0, {4, 4, 100}};
  Clustering without(2, half, ClusterShape::components);
  without.add(part);
  EXPECT_EQ(without.representative(1), 1U);
  Clustering with(2, {{1, 2}, Ratio(9, 10)}, ClusterShape::components);
  with.add(part);
  EXPECT_EQ(with.representative(1), 0U);
}

TEST(Clustering, ACopyGoesWhereItsOriginalGoes) {
  for (const ClusterShape shape : {ClusterShape::components, ClusterShape::stars}) {
    Clustering clustering(4, half, shape);
    clustering.fold(3, 1, true);
    clustering.add(pair_of(1, 0));
    EXPECT_EQ(clustering.representative(3), 0U);
    EXPECT_TRUE(clustering.identical(3));
  }
}

TEST(ClusterLinks, CountsWhatTheyList) {
  Clustering clustering(9, half, ClusterShape::components);
  clustering.fold(1, 0, true);
  clustering.fold(2, 0, true);    // 0 1 2: identical only
  clustering.fold(4, 3, false);   // 3 4: lexical
  clustering.add(pair_of(7, 5));  // 5 7 8
  clustering.fold(8, 7, true);
  const SpillFolder spill;
  ClusterSummary summary;
  auto links = ClusterLinks::make(spill.options("links"), clustering, summary);
  ASSERT_TRUE(links.ok());
  std::map<std::uint64_t, std::vector<std::uint64_t>> found;
  for (ClusterLink link; links.value()->next(link).value();) {
    found[link.representative].push_back(link.member);
  }
  const std::map<std::uint64_t, std::vector<std::uint64_t>> expected{
      {0, {1, 2}}, {3, {4}}, {5, {7, 8}}};
  EXPECT_EQ(found, expected);
  EXPECT_EQ(summary.all.clusters, 3U);
  EXPECT_EQ(summary.all.documents, 8U);
  EXPECT_EQ(summary.identical_only.clusters, 1U);
  EXPECT_EQ(summary.identical_only.documents, 3U);
  EXPECT_EQ(summary.largest, 3U);
  EXPECT_EQ(summary.sizes, (std::vector<std::uint64_t>{0, 3}));
}

// B-14: components as the least document that chains of edges reach.
TEST(Clustering, EqualsTheDefinitionsOnRandomPairs) {
  std::mt19937_64 random(21);
  for (int round = 0; round < 2000; ++round) {
    const auto documents = static_cast<std::uint32_t>(1 + random() % 40);
    std::vector<SharedPair> pairs;
    for (std::uint32_t a = 1; a < documents; ++a) {
      for (std::uint32_t b = 0; b < a; ++b) {
        if (random() % 12 == 0) pairs.push_back(pair_of(a, b, 1 + random() % 4));
      }
    }
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const SharedPair& pair : pairs) {
      if (2 * pair.keys.shared >= 8 - pair.keys.shared) edges.insert({pair.a, pair.b});
    }
    Clustering components(documents, half, ClusterShape::components);
    Clustering stars(documents, half, ClusterShape::stars);
    for (const SharedPair& pair : pairs) {
      components.add(pair);
      stars.add(pair);
    }
    std::vector<std::uint32_t> least(documents);
    std::vector<std::uint32_t> center(documents);
    for (std::uint32_t i = 0; i < documents; ++i) {
      least[i] = center[i] = i;
      for (std::uint32_t b = 0; b < i && center[i] == i; ++b) {
        if (center[b] == b && edges.contains({i, b})) center[i] = b;
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [a, b] : edges) {
        const std::uint32_t low = std::min(least[a], least[b]);
        changed = changed || least[a] != low || least[b] != low;
        least[a] = least[b] = low;
      }
    }
    for (std::uint32_t i = 0; i < documents; ++i) {
      ASSERT_EQ(components.representative(i), least[i]);
      ASSERT_EQ(stars.representative(i), center[i]);
    }
  }
}

}  // namespace
}  // namespace twinset

// The facts gathered from pairs, against plain definitions over random graphs.
#include "cluster/cluster_facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "join/join_testing.h"

namespace twinset {
namespace {

using testing::SpillFolder;

constexpr PairFloor half{{1, 2}, {}};

/// Documents with their folds and pairs, to be clustered.
struct World {
  SpillFolder spill;
  std::uint32_t documents;
  PairFloor threshold = half;
  ClusterShape shape = ClusterShape::components;
  ClusterFactLimits limits;
  std::map<std::uint32_t, Standing> folds;
  std::map<std::pair<std::uint32_t, std::uint32_t>, SharedPair> pairs;  ///< by (a, b)

  explicit World(std::uint32_t count) : documents(count) {}

  void pair(std::uint32_t a, std::uint32_t b, std::uint32_t shared, std::uint32_t b_keys = 10) {
    pairs[{a, b}] = {a, b, {shared, 10, b_keys}};
  }

  ClusterFacts gather(std::uint64_t memory_bytes = 1 << 20) {
    const std::vector<std::uint64_t> lines{documents};
    DocumentTable table(lines, 0);
    Clustering clustering(documents, threshold, shape);
    for (const auto& [copy, standing] : folds) {
      table.set(copy, standing);
      clustering.fold(copy, static_cast<std::uint32_t>(standing.other),
                      standing.fate == Fate::identical);
    }
    SharedPairStore store(spill.options("pairs", memory_bytes));
    for (const auto& [name, pair] : pairs) {
      EXPECT_TRUE(store.append(pair).ok());
      clustering.add(pair);
    }
    EXPECT_TRUE(store.seal().ok());
    ClusterSummary summary;
    auto links = ClusterLinks::make(spill.options("links", memory_bytes), clustering, summary);
    EXPECT_TRUE(links.ok());
    ClusterFacts facts(threshold.resemblance.value(), limits);
    EXPECT_TRUE(
        facts.gather(*links.value(), clustering, table, store, threshold, LinkKind::shingles).ok());
    return facts;
  }
};

std::uint64_t sum(const ResemblanceBins& histogram) {
  std::uint64_t all = 0;
  for (const std::uint64_t bin : histogram.bins) all += bin;
  return all;
}

TEST(ClusterFacts, CountsCopiesAndEdges) {
  World world(10);
  world.folds[1] = {Fate::identical, 0};
  world.folds[2] = {Fate::lexical, 0};
  world.pair(4, 0, 8);   // 8 of 12
  world.pair(6, 4, 10);  // 1
  world.pair(7, 3, 3);   // below
  const ClusterFacts facts = world.gather();
  ASSERT_EQ(facts.clusters.size(), 1U);
  const ClusterFacts::Cluster& cluster = facts.clusters[0];
  EXPECT_EQ(cluster.representative, 0U);
  EXPECT_EQ(cluster.documents, 5U);
  EXPECT_EQ(cluster.identical, 1U);
  EXPECT_EQ(cluster.lexical, 1U);
  EXPECT_EQ(cluster.different(), 3U);
  EXPECT_EQ(cluster.edges, 2U);
  EXPECT_DOUBLE_EQ(cluster.lowest, 8.0 / 12);
  EXPECT_DOUBLE_EQ(cluster.mean, (1 + 8.0 / 12) / 2);
  EXPECT_TRUE(cluster.among_largest);
  EXPECT_EQ(sum(facts.edge_resemblance), 2U);
  EXPECT_EQ(sum(facts.other_resemblance), 1U);
  ASSERT_EQ(facts.graphs.size(), 1U);
  EXPECT_EQ(facts.graphs[0].nodes, (std::vector<std::uint32_t>{0, 4, 6}));
  EXPECT_EQ(facts.graphs[0].copies, (std::vector<std::uint64_t>{2, 0, 0}));
  EXPECT_EQ(facts.graphs[0].edges.size(), 2U);
  EXPECT_EQ(cluster.weakest.later, 4U);
  EXPECT_EQ(facts.pairs_to_show.oddest().size(), 1U) << "both are of document 4";
}

TEST(ClusterFacts, ClustersOfCopiesAloneAreListedAndNotDrawn) {
  World world(1000);
  for (std::uint32_t i = 1; i < 1000; ++i) world.folds[i] = {Fate::identical, 0};
  const ClusterFacts facts = world.gather();
  ASSERT_EQ(facts.clusters.size(), 1U);
  EXPECT_EQ(facts.clusters[0].documents, 1000U);
  EXPECT_EQ(facts.clusters[0].different(), 1U);
  EXPECT_TRUE(facts.graphs.empty());
  // The pair to show is one of its copies.
  EXPECT_EQ(facts.clusters[0].weakest.earlier, 0U);
  EXPECT_EQ(facts.clusters[0].weakest.later, 1U);
  EXPECT_EQ(facts.clusters[0].weakest.fate, Fate::identical);
  world.folds[700] = {Fate::lexical, 0};
  EXPECT_EQ(world.gather().clusters[0].weakest.later, 700U);
}

TEST(ClusterFacts, NothingAlikeIsNothing) {
  const ClusterFacts facts = World(5).gather();
  EXPECT_TRUE(facts.clusters.empty());
  EXPECT_TRUE(facts.graphs.empty());
}

TEST(ClusterFacts, MostDifferentIsListedBesideTheLargest) {
  World world(100);
  world.limits.largest = 2;
  world.limits.most_different = 1;
  for (std::uint32_t i = 1; i < 20; ++i) world.folds[i] = {Fate::identical, 0};
  for (std::uint32_t i = 21; i < 40; ++i) world.folds[i] = {Fate::lexical, 20};
  for (std::uint32_t i = 41; i < 45; ++i) world.pair(i, i - 1, 10);
  const ClusterFacts facts = world.gather();
  ASSERT_EQ(facts.clusters.size(), 3U);
  EXPECT_EQ(facts.clusters[0].representative, 0U);
  EXPECT_EQ(facts.clusters[1].representative, 20U);
  EXPECT_EQ(facts.clusters[2].representative, 40U);
  EXPECT_FALSE(facts.clusters[2].among_largest);
  ASSERT_EQ(facts.graphs.size(), 1U);
  EXPECT_EQ(facts.graphs[0].cluster, 2U);
}

TEST(ClusterFacts, MoreClustersHaveASizeThanAreListed) {
  World world(100);
  world.limits.largest = 2;
  world.limits.most_different = 0;
  world.limits.sizes = 4;
  for (std::uint32_t i = 0; i < 100; i += 10) {  // of 2, 3, ... 10, 10 documents
    for (std::uint32_t copy = 1; copy < std::min(10U, 2 + i / 10); ++copy) {
      world.folds[i + copy] = {Fate::identical, i};
    }
  }
  const ClusterFacts facts = world.gather();
  EXPECT_EQ(facts.clusters.size(), 2U);
  ASSERT_EQ(facts.sizes.size(), 4U);
  const std::vector<std::pair<std::uint32_t, std::uint64_t>> expected = {
      {80, 10}, {90, 10}, {70, 9}, {60, 8}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(std::pair(facts.sizes[i].representative, facts.sizes[i].documents), expected[i]);
  }
}

TEST(ClusterFacts, ContainmentAloneIsCounted) {
  World world(3);
  world.threshold.containment = Ratio(9, 10);
  world.pair(1, 0, 10, 100);
  world.pair(2, 1, 9);
  const ClusterFacts facts = world.gather();
  EXPECT_EQ(facts.clusters[0].edges, 2U);
  EXPECT_EQ(facts.clusters[0].contained, 1U);
  EXPECT_DOUBLE_EQ(facts.clusters[0].lowest, 0.1);
}

TEST(ClusterFacts, EdgesBetweenStarsBelongToNeither) {
  World world(4);
  world.shape = ClusterShape::stars;
  world.pair(1, 0, 10);
  world.pair(2, 1, 10);  // 1 is taken: 2 is a star of its own
  world.pair(3, 2, 10);
  const ClusterFacts facts = world.gather();
  ASSERT_EQ(facts.clusters.size(), 2U);
  EXPECT_EQ(facts.clusters[0].edges, 1U);
  EXPECT_EQ(facts.clusters[1].edges, 1U);
}

TEST(ClusterFacts, ASampledChainIsAConnectedPieceWhateverItsOrder) {
  constexpr std::uint32_t length = 400;
  std::mt19937_64 random(5);
  std::vector<std::uint32_t> order(length);
  for (std::uint32_t i = 0; i < length; ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), random);
  World world(length);
  world.limits.nodes = 30;
  for (std::uint32_t i = 1; i < length; ++i) {
    world.pair(std::max(order[i], order[i - 1]), std::min(order[i], order[i - 1]), 9);
  }
  const ClusterFacts facts = world.gather();
  ASSERT_EQ(facts.graphs.size(), 1U);
  EXPECT_EQ(facts.graphs[0].nodes.size(), 30U);
  EXPECT_EQ(facts.graphs[0].nodes[0], 0U);
  EXPECT_EQ(facts.graphs[0].edges.size(), 29U);
  EXPECT_TRUE(facts.graphs[0].nearest);
}

TEST(ClusterFacts, AThickChainIsSampledFromEndToEnd) {
  constexpr std::uint32_t length = 400;
  World world(length);
  world.limits.nodes = 40;
  for (std::uint32_t a = 1; a < length; ++a) {
    for (std::uint32_t b = a - std::min(a, 60U); b < a; ++b) world.pair(a, b, 9);
  }
  const ClusterFacts facts = world.gather();
  ASSERT_EQ(facts.graphs.size(), 1U);
  const ClusterFacts::Graph& graph = facts.graphs[0];
  EXPECT_FALSE(graph.nearest);
  EXPECT_EQ(graph.nodes.size(), 40U);
  EXPECT_EQ(graph.nodes.front(), 0U);
  EXPECT_GT(graph.nodes.back(), length - 60);
  std::size_t expected = 0;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      expected += graph.nodes[i] - graph.nodes[j] <= 60 ? 1 : 0;
    }
  }
  EXPECT_EQ(graph.edges.size(), expected);
}

TEST(ClusterFacts, HeldEdgesRunOutAndNoLineIsMissing) {
  constexpr std::uint32_t nodes = 60;
  World world(nodes);
  world.limits.nodes = 20;
  world.limits.held_edges = 10;
  for (std::uint32_t a = 1; a < nodes; ++a) {
    for (std::uint32_t b = 0; b < a; ++b) world.pair(a, b, 7 + (a + b) % 3);
  }
  const ClusterFacts facts = world.gather();
  ASSERT_EQ(facts.graphs.size(), 1U);
  EXPECT_EQ(facts.graphs[0].nodes.size(), 20U);
  EXPECT_EQ(facts.graphs[0].edges.size(), 190U);
  EXPECT_EQ(facts.clusters[0].edges, 1770U);
}

TEST(ClusterFacts, EqualPlainDefinitionsWhateverTheMemory) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 20; ++round) {
    World world(200);
    world.limits.largest = 5;
    for (int i = 0; i < 150; ++i) {
      const auto a = static_cast<std::uint32_t>(1 + random() % 199);
      world.pair(a, static_cast<std::uint32_t>(random() % a),
                 static_cast<std::uint32_t>(5 + random() % 6));
    }
    const ClusterFacts facts = world.gather();
    // Components by repeated relabeling.
    std::vector<std::uint32_t> label(world.documents);
    for (std::uint32_t i = 0; i < world.documents; ++i) label[i] = i;
    for (bool moved = true; moved;) {
      moved = false;
      for (const auto& [name, pair] : world.pairs) {
        if (!half.reached_by(pair.keys)) continue;
        const std::uint32_t least = std::min(label[pair.a], label[pair.b]);
        moved = moved || label[pair.a] != least || label[pair.b] != least;
        label[pair.a] = label[pair.b] = least;
      }
    }
    std::map<std::uint32_t, std::uint64_t> sizes;
    for (const std::uint32_t of : label) ++sizes[of];
    std::vector<std::pair<std::uint64_t, std::uint32_t>> by_size;
    for (const auto& [of, size] : sizes) {
      if (size > 1) by_size.emplace_back(UINT64_MAX - size, of);
    }
    std::sort(by_size.begin(), by_size.end());
    std::size_t at = 0;
    for (const ClusterFacts::Cluster& cluster : facts.clusters) {
      if (!cluster.among_largest) continue;
      ASSERT_EQ(cluster.representative, by_size[at].second);
      ASSERT_EQ(cluster.documents, UINT64_MAX - by_size[at].first);
      ++at;
      double lowest = 1;
      std::uint64_t edges = 0;
      for (const auto& [name, pair] : world.pairs) {
        if (!half.reached_by(pair.keys) || label[pair.a] != cluster.representative) continue;
        ++edges;
        lowest = std::min(lowest, pair.keys.resemblance());
      }
      ASSERT_EQ(cluster.edges, edges);
      ASSERT_DOUBLE_EQ(cluster.lowest, lowest);
    }
    ASSERT_EQ(at, std::min<std::size_t>(5, by_size.size()));
    const ClusterFacts again = world.gather(0);
    ASSERT_EQ(again.graphs.size(), facts.graphs.size());
    for (std::size_t i = 0; i < facts.graphs.size(); ++i) {
      ASSERT_EQ(again.graphs[i].nodes, facts.graphs[i].nodes);
      ASSERT_EQ(again.graphs[i].edges.size(), facts.graphs[i].edges.size());
    }
  }
}

}  // namespace
}  // namespace twinset

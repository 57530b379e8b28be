// The drawing of a cluster: what is sampled is said, shades follow resemblance, nothing
// of an id gets out of its place.
#include "report/graph_view.h"

#include <gtest/gtest.h>

#include <string>

#include "report/documents.h"
#include "report/page_check.h"

namespace twinset {
namespace {

std::size_t occurrences(const std::string& text, const std::string& piece) {
  std::size_t count = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) {
    ++count;
  }
  return count;
}

/// A chain of four.
ClusterGraph chain_of(const std::string& id) {
  ClusterGraph graph;
  graph.nodes.assign(4, {{id, id, 1}, 0});
  graph.nodes[2].copies = 1000;
  graph.edges = {{1, 0, 0.5}, {2, 1, 0.95}, {3, 2, 1}};
  return graph;
}

ListedCluster cluster_of(const std::string& id, std::uint64_t different) {
  ListedCluster cluster;
  cluster.representative = {id, id, 1};
  cluster.documents = different + 1000;
  cluster.identical = 1000;
  cluster.edges = different - 1;
  return cluster;
}

std::string drawn(const std::string& id, std::uint64_t different = 4, double threshold = 0.5) {
  std::string out;
  append_graph(out, chain_of(id), cluster_of(id, different), 3, threshold);
  const PageCheck check(out, false);
  EXPECT_TRUE(check.errors.empty()) << check.errors.front();
  return out;
}

TEST(GraphView, HasANodeADocumentAndAPathAShade) {
  const std::string out = drawn("d");
  EXPECT_EQ(occurrences(out, "<circle"), 4u);
  EXPECT_EQ(occurrences(out, "class=\"node first\""), 1u);
  EXPECT_EQ(occurrences(out, "class=\"edge e1\""), 1u);
  EXPECT_EQ(occurrences(out, "class=\"edge e5\""), 1u);  // 0.95 and 1 together
  EXPECT_EQ(occurrences(out, "<path"), 2u);
  EXPECT_EQ(occurrences(out, "M"), 3u);
  EXPECT_NE(out.find("id=\"graph-3\""), std::string::npos);
  EXPECT_NE(out.find("href=\"#cluster-3\""), std::string::npos);
  EXPECT_NE(out.find("d and 1,000 copies"), std::string::npos);
}

TEST(GraphView, SaysWhetherItIsASample) {
  EXPECT_NE(drawn("d", 4).find("All 4 different documents and 3 pairs"), std::string::npos);
  const std::string sample = drawn("d", 5000);
  EXPECT_NE(sample.find("<b>A sample:</b> 4 of 5,000 different documents"), std::string::npos);
  EXPECT_NE(sample.find("drawn by lot, and 3 pairs of 4,999"), std::string::npos);
  ClusterGraph graph = chain_of("d");
  graph.nearest = true;
  std::string nearest;
  append_graph(nearest, graph, cluster_of("d", 5000), 3, 0.5);
  EXPECT_NE(nearest.find("those nearest to the representative"), std::string::npos);
}

TEST(GraphView, EdgesOfContainmentAloneAreDashed) {
  EXPECT_EQ(occurrences(drawn("d"), "class=\"edge e0\""), 0u);
  EXPECT_EQ(occurrences(drawn("d", 4, 0.6), "class=\"edge e0\""), 1u);
}

TEST(GraphView, HostileIdsAddNoTag) {
  const auto expected = PageCheck(drawn("x"), false).tags;
  for (const std::string& evil : hostile_strings()) {
    ASSERT_EQ(PageCheck(drawn(evil), false).tags, expected) << evil.substr(0, 80);
  }
}

}  // namespace
}  // namespace twinset

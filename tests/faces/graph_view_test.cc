// The drawing of a graph: shades follow resemblance, and no part of an id escapes its place.
#include "faces/graph_view.h"

#include <gtest/gtest.h>

#include <string>

#include "faces/page_check.h"
#include "words/documents.h"

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
std::string drawn(const std::string& id, double threshold = 0.5) {
  Graph graph;
  graph.threshold = threshold;
  graph.nodes.assign(4, {{.id = id, .file = id}, 0});
  graph.nodes[2].copies = 1000;
  graph.edges = {{1, 0, 0.5}, {2, 1, 0.95}, {3, 2, 1}};
  std::string out;
  append_graph(out, graph);
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
  EXPECT_NE(out.find("d and 1,000 copies"), std::string::npos);
}

TEST(GraphView, EdgesOfContainmentAloneAreDashed) {
  EXPECT_EQ(occurrences(drawn("d"), "class=\"edge e0\""), 0u);
  EXPECT_EQ(occurrences(drawn("d", 0.6), "class=\"edge e0\""), 1u);
}

TEST(GraphView, HostileIdsAddNoTag) {
  const auto expected = PageCheck(drawn("x"), false).tags;
  for (const std::string& evil : hostile_strings()) {
    ASSERT_EQ(PageCheck(drawn(evil), false).tags, expected) << evil.substr(0, 80);
  }
}

}  // namespace
}  // namespace twinset

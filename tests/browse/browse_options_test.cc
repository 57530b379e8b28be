#include <gtest/gtest.h>

#include "twinset/browse.h"

namespace twinset {
namespace {

template <class Options>
Status set(Options& options, std::string_view name, std::string_view text) {
  for (const Option& option : options_of(options)) {
    if (option.name() == name) return option.set(text);
  }
  return usage_error("no option " + std::string(name));
}

TEST(BrowseOptionsTest, SetTheirMembers) {
  ClustersOptions clusters;
  for (const auto& [name, value] :
       std::initializer_list<std::pair<const char*, const char*>>{{"offset", "10"},
                                                                  {"limit", "20"},
                                                                  {"sort", "sources"},
                                                                  {"reverse", "true"},
                                                                  {"min_documents", "3"},
                                                                  {"max_documents", "9"},
                                                                  {"source", "a.jsonl"},
                                                                  {"kind", "shingles"},
                                                                  {"resemblance", "0.8:0.9"},
                                                                  {"search", "x y"},
                                                                  {"words", "false"}}) {
    EXPECT_TRUE(set(clusters, name, value).ok()) << name;
  }
  EXPECT_EQ(clusters.offset, 10U);
  EXPECT_EQ(clusters.limit, 20U);
  EXPECT_EQ(clusters.sort, ClusterSort::sources);
  EXPECT_TRUE(clusters.reverse);
  EXPECT_EQ(clusters.min_documents, 3U);
  EXPECT_EQ(clusters.max_documents, 9U);
  EXPECT_EQ(clusters.source, "a.jsonl");
  EXPECT_EQ(clusters.kind, RemovalKind::shingles);
  EXPECT_EQ(clusters.resemblance.most->text(), Ratio(9, 10).text());
  EXPECT_EQ(clusters.search, "x y");
  EXPECT_FALSE(clusters.words);
  EXPECT_FALSE(set(clusters, "sort", "age").ok());
  MembersOptions members;
  EXPECT_TRUE(set(members, "cluster", "7").ok());
  EXPECT_EQ(members.cluster, 7U);
  TilesOptions tiles;
  EXPECT_TRUE(set(tiles, "by", "source").ok());
  EXPECT_EQ(tiles.by, TileBy::source);
  SidesOptions sides;
  EXPECT_TRUE(set(sides, "a", "n1").ok());
  EXPECT_TRUE(set(sides, "b", "a.jsonl:4").ok());
  EXPECT_EQ(sides.a + sides.b, "n1a.jsonl:4");
  ListRowsOptions rows;
  EXPECT_TRUE(set(rows, "list", "removed").ok());
  EXPECT_TRUE(set(rows, "sort", "id").ok());
  EXPECT_EQ(rows.list + rows.sort, "removedid");
  VersionsOptions versions;
  EXPECT_TRUE(set(versions, "search", "a.org").ok());
  EXPECT_EQ(versions.search, "a.org");
  BrowseOptions browse;
  EXPECT_TRUE(set(browse, "memory", "1GiB").ok());
  EXPECT_EQ(browse.memory, std::uint64_t{1} << 30);
}

}  // namespace
}  // namespace twinset

// The JSON of each answer.
#include <gtest/gtest.h>

#include "twinset/browse.h"

namespace twinset {
namespace {

TEST(BrowseFields, OfAPageOfClusters) {
  ClusterPage page{.total = 9, .documents = 30};
  BrowsedCluster& cluster = page.clusters.emplace_back();
  cluster.cluster = 3;
  cluster.documents = 4;
  cluster.first = {"n1", "a.jsonl", 1};
  cluster.resemblance = 0.875;
  cluster.kinds.near = 2;
  cluster.kinds.identical = 1;
  cluster.sources = 1;
  cluster.missing = "gone";
  EXPECT_EQ(to_json(page),
            R"({"total": 9, "documents": 30, "clusters": [{"cluster": 3, "documents": 4, )"
            R"("first": {"id": "n1", "file": "a.jsonl", "record": 1}, "words": null, )"
            R"("missing": "gone", "resemblance": 0.875, "kinds": {"identical": 1, "near": 2}, )"
            R"("sources": 1}]})");
}

TEST(BrowseFields, OfMembersAndTheirEdges) {
  ClusterMembers members{.cluster = 3, .documents = 2};
  members.members.resize(2);
  members.members[0].name = {"n1", "a", 1};
  members.members[0].fate = "kept";
  members.members[1].name = {"\x01\xff\"", "a", 2};
  members.members[1].fate = "removed";
  members.members[1].kind = RemovalKind::shingles;
  members.members[1].survivor = RecordName{"n1", "a", 1};
  members.members[1].decision = "restore";
  members.edges = {{1, 0, 0.5}, {0, 1, std::nullopt}};
  EXPECT_EQ(to_json(members),
            R"({"cluster": 3, "documents": 2, "members": [{"id": "n1", "file": "a", "record": 1, )"
            R"("kind": null, "resemblance": null, "containment": null, "words": null, )"
            R"("fate": "kept", "decision": null}, )"
            "{\"id\": \"\\u0001\xef\xbf\xbd\\\"\", "
            R"("file": "a", "record": 2, "kind": "shingles", "resemblance": null, )"
            R"("containment": null, "survivor": {"id": "n1", "file": "a", "record": 1}, )"
            R"("words": null, "fate": "removed", "decision": "restore"}], )"
            R"("edges": [[1, 0, 0.5], [0, 1, null]]})");
}

TEST(BrowseFields, OfTheRest) {
  EXPECT_EQ(to_json(ClusterTiles{{{"n1", 4, 2}, {"a.jsonl", 3, std::nullopt}}, 7, 20}),
            R"({"tiles": [{"name": "n1", "documents": 4, "cluster": 2}, )"
            R"({"name": "a.jsonl", "documents": 3, "cluster": null}], )"
            R"("rest": {"clusters": 7, "documents": 20}})");
  EXPECT_EQ(to_json(ListRows{2, {"[1, \"a\"]", "[2, null]"}}),
            R"({"total": 2, "rows": [[1, "a"], [2, null]]})");
  EXPECT_EQ(to_json(ListRows{}), R"({"total": 0, "rows": []})");
  EXPECT_EQ(to_json(std::vector<BrowsedList>{{"removed", 5, {{"id", "text", "its id"}}}}),
            R"({"lists": [{"name": "removed", "rows": 5, )"
            R"("columns": [{"name": "id", "unit": "text", "help": "its id"}]}]})");
  VersionsPage versions{.total = 1};
  versions.pages.emplace_back().url = "http://a.org/";
  EXPECT_EQ(to_json(versions).find(R"({"total": 1, "pages": [{"url": "http://a.org/", "part": 1)"),
            0U);
  BrowsedRecord record;
  record.explanation.document = {"n1", "a", 1};
  record.text = "words";
  EXPECT_EQ(to_json(record),
            R"({"id": "n1", "file": "a", "record": 1, "fate": "kept", "stands_for": 0, )"
            R"("text": "words", "cut": false})");
}

}  // namespace
}  // namespace twinset

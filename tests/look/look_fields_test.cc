#include <gtest/gtest.h>

#include "io/field_json.h"
#include "twinset/field.h"
#include "twinset/look.h"

namespace twinset {
namespace {

template <class Result>
std::string json_of(Result result) {
  return fields_json(fields_of(result));
}

const std::string n1 = R"("id": "n1", "file": "a.jsonl", "record": 1)";
const std::string n4 = R"("id": "n4", "file": "a.jsonl", "record": 4)";

using enum Explanation::Fate;

Explanation explained(Explanation::Fate fate) {
  Explanation explanation;
  explanation.document = {"n4", "a.jsonl", 4};
  explanation.fate = fate;
  explanation.kind = RemovalKind::near;
  explanation.survivor = {"n1", "a.jsonl", 1};
  explanation.resemblance = 0.75;
  explanation.containment = 0.5;
  explanation.survivor_containment = 1;
  explanation.stands_for = 7;
  return explanation;
}

TEST(LookFields, OfAnExplanationFollowItsFate) {
  EXPECT_EQ(json_of(explained(kept)), "{" + n4 + R"(, "fate": "kept", "stands_for": 7})");
  EXPECT_EQ(json_of(explained(reference)), "{" + n4 + R"(, "fate": "reference", "stands_for": 7})");
  Explanation bad = explained(quarantined);
  bad.reason = "invalid_json";
  bad.notes = {"a note"};
  EXPECT_EQ(json_of(bad), "{" + n4 +
                              R"(, "fate": "quarantined", "reason": "invalid_json", )"
                              R"("notes": ["a note"]})");
  Explanation gone = explained(removed);
  const std::string json =
      "{" + n4 +
      R"(, "fate": "removed", "kind": "near", "survivor_id": "n1", "survivor_file": "a.jsonl", )"
      R"("survivor_record": 1, "resemblance": 0.75, "containment": 0.5, )"
      R"("survivor_containment": 1)";
  EXPECT_EQ(json_of(gone), json + "}");
  gone.whole_resemblance = 0.25;
  EXPECT_EQ(json_of(gone), json + R"(, "whole_resemblance": 0.25})");
}

TEST(LookFields, OfAPlaceInACluster) {
  ClusterPlace place;
  EXPECT_EQ(json_of(place), R"({"edges": 0, "nearest": []})");
  place.representative = {"n1", "a.jsonl", 1};
  place.documents = 3;
  place.copy_kind = RemovalKind::lexical;
  place.original = {"n4", "a.jsonl", 4};
  place.pairs = 2;
  place.nearest = {{.name = {"n1", "a.jsonl", 1}, .resemblance = 0.5},
                   {.name = {"n4", "a.jsonl", 4}, .distance = 3}};
  const std::string json =
      R"("representative": {)" + n1 + R"(}, "documents": 3, "lexical": {)" + n4 + "}";
  EXPECT_EQ(json_of(place), "{" + json + R"(, "edges": 2, "nearest": [{)" + n1 +
                                R"(, "resemblance": 0.5}, {)" + n4 + R"(, "distance": 3}]})");
  place.has_pairs = false;
  EXPECT_EQ(json_of(place), "{" + json + "}");
  Explanation explanation = explained(clustered);
  explanation.cluster = place;
  EXPECT_EQ(json_of(explanation), "{" + n4 + R"(, "fate": "clustered", )" + json + "}");
}

TEST(LookFields, OfARemovedRecordBesideOthers) {
  AlikeRecord alike{{"n1", "a.jsonl", 1}, RemovalKind::near, 0.5, 0.75};
  EXPECT_EQ(json_of(alike),
            "{" + n1 + R"(, "kind": "near", "resemblance": 0.5, "containment": 0.75})");
}

TEST(LookFields, OfRestoredRecords) {
  EXPECT_EQ(json_of(RestoreSummary{7, 2}), R"({"records": 7, "files": 2})");
}

TEST(LookFields, OfClustersAndLinks) {
  const ShownRecord first{.name = {"n1", "a.jsonl", 1}, .words = "one two"};
  const ShownRecord second{
      .name = {"n4", "a.jsonl", 4}, .missing = "it has changed", .resemblance = 0.5};
  const std::string first_json = n1 + R"(, "words": "one two")";
  const std::string second_json =
      n4 + R"(, "words": null, "missing": "it has changed", "resemblance": 0.5)";
  EXPECT_EQ(json_of(ShownCluster{7, {first, second}}),
            "{" + first_json + R"(, "documents": 7, "members": [{)" + second_json + "}]}");
  EXPECT_EQ(json_of(ShownCluster{7, {first}}),
            "{" + first_json + R"(, "documents": 7, "members": []})");
  ShownLink link{RemovalKind::near, 0.25, std::nullopt, first, second};
  EXPECT_EQ(json_of(link), "{" + first_json +
                               R"(, "kind": "near", "resemblance": 0.25, "other": {)" +
                               second_json + "}}");
  link.distance = 3;
  EXPECT_EQ(json_of(link), "{" + first_json + R"(, "kind": "near", "distance": 3, "other": {)" +
                               second_json + "}}");
}

}  // namespace
}  // namespace twinset
